// What a category is: its tree, its slots, and the step that made it.

import { post } from "./api.js";
import { $, button, h, spelled, visible } from "./dom.js";

const known = new Map(); // by spelling
let pinned = null; // the element that was clicked
let wanted = 0;

/** What the service says of a category. */
export async function explained(category) {
  if (!known.has(category)) {
    const { categories } = await post("/api/validate", { categories: [category] });
    known.set(category, categories[0]);
  }
  return known.get(category);
}

/** The slots of a category as a list. */
export function slots({ slots: found, target, modifier, type_raised: raised }) {
  const kind = modifier ? "a modifier" : raised ? "type-raised" : found.length ? "" : "an atom";
  const sides = { "/": "to the right", "\\": "to the left" };
  return h("div", {},
    h("p", { class: "quiet" }, kind ? `${kind}; ` : "", "target ", spelled(target)),
    found.length ? h("ol", {}, found.map((one) => h("li", {}, spelled(one.category), ` ${sides[one.slash]}`))) : "");
}

/** Shows the explanation of a place in a derivation; actions are offered for one that was clicked. */
export async function show({ category, words, rule }, actions = null, source = null) {
  if (pinned && !actions) return;
  const turn = ++wanted;
  if (actions) release(source);
  const found = await explained(category).catch(() => null);
  if (turn !== wanted || !found?.valid) return;
  const offered = actions?.map(([text, act]) => button(text, () => (hide(), act())));
  $("explanation").replaceChildren(
    h("h2", {}, spelled(category)),
    h("p", { class: "quiet" }, h("bdi", {}, visible(words)), rule ? ` — by ${rule}` : ""),
    h("pre", {}, found.tree.map(visible).join("\n")),
    slots(found),
    offered ? h("div", { class: "row" }, offered, button("Close", hide)) : "",
  );
  $("explanation").hidden = false;
  $("explanation").classList.toggle("pinned", Boolean(offered));
  if (offered) $("explanation").querySelector("button").focus();
}

function release(source) {
  pinned?.removeAttribute("aria-pressed");
  pinned = source;
  source?.setAttribute("aria-pressed", "true");
}

/** Takes the explanation away; the focus goes back to where it came from. */
export function hide() {
  const source = pinned;
  release(null);
  if (source?.isConnected) source.focus();
  wanted++; // what the focus asked for is not wanted
  $("explanation").hidden = true;
}

/** Takes away an explanation that was only pointed at. */
export function fade() {
  if (!pinned) hide();
}
