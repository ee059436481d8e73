// The page: tabs, theme, and a link that brings the same view back. Its state is in the part of the address
// that browsers do not send, so that no text is in anybody's log.

import { ask } from "./api.js";
import * as categories from "./categories.js";
import { $, attempt, say } from "./dom.js";
import { fade, hide } from "./explanation.js";
import * as files from "./files.js";
import * as parsing from "./parsing.js";
import { nameRules } from "./sentence.js";

const tabs = [...document.querySelectorAll("[role=tab]")];
const nameOf = (tab) => tab.getAttribute("aria-controls");
const states = { parse: parsing.state, ...categories.state };
const restores = { parse: parsing.restore, ...categories.restore };

function open(name) {
  for (const tab of tabs) {
    const chosen = nameOf(tab) === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    $(nameOf(tab)).hidden = !chosen;
  }
  hide();
  say("");
}

const opened = () => nameOf(tabs.find((tab) => tab.getAttribute("aria-selected") === "true"));

/** Writes the state of the open tab into the address. */
function follow() {
  const name = opened();
  const kept = JSON.stringify({ tab: name, ...states[name]?.() });
  history.replaceState(null, "", `#${encodeURIComponent(kept)}`);
}

async function restore() {
  let kept;
  try {
    kept = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return; // no link of ours
  }
  if (!kept || !tabs.some((tab) => nameOf(tab) === kept.tab)) return;
  open(kept.tab);
  await restores[kept.tab]?.(kept);
}

async function copyLink() {
  follow();
  await navigator.clipboard.writeText(location.href);
  say("The link is copied.");
}

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $("theme").textContent = { auto: "◐", light: "☀", dark: "☾" }[theme];
  $("theme").setAttribute("aria-label", `theme: ${theme}`);
  $("theme").title = `theme: ${theme}`;
  localStorage.setItem("ccgkit-theme", theme);
}

function wire() {
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener("click", () => (open(nameOf(tab)), follow()));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(i + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
  }
  const kept = localStorage.getItem("ccgkit-theme");
  setTheme(THEMES.includes(kept) ? kept : "auto");
  $("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "auto";
    setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  $("parsed").addEventListener("focusout", fade);
  $("parsed").addEventListener("change", (event) => event instanceof CustomEvent && follow());
  window.addEventListener("hashchange", () => attempt(restore));
  parsing.wire(() => attempt(copyLink));
  categories.wire(follow);
  files.wire();
}

attempt(async () => {
  wire();
  const [{ models }, { rules }] = await Promise.all([ask("/api/models"), ask("/api/rules")]);
  nameRules(rules);
  parsing.offer(models);
  await restore();
  document.body.dataset.ready = "true";
});
