// The tabs about categories: whether a string is one, and how a generator writes it.

import { post } from "./api.js";
import { $, attempt, h, spelled, visible } from "./dom.js";
import { slots } from "./explanation.js";

async function check() {
  const lines = $("category-list").value.split("\n").map((line) => line.trim()).filter((line) => line);
  if (!lines.length) return;
  await attempt(async () => {
    const inventory = $("inventory").value ? { inventory: $("inventory").value } : {};
    const { categories } = await post("/api/validate", { categories: lines, left_associative: $("left").checked, ...inventory });
    $("verdicts").replaceChildren(...categories.map(verdict));
  });
}

function verdict(found) {
  if (!found.category) {
    const before = visible(found.input.slice(0, found.column - 1)).length;
    return h("article", {},
      h("p", { class: "bad" }, h("strong", {}, "not a category"), `: ${visible(found.error)} at column ${found.column}`,
        found.expected ? `: expected ${visible(found.expected)}` : ""),
      h("pre", {}, `${visible(found.input)}\n${" ".repeat(before)}^`),
      found.suggestions.length ? h("p", {}, `Did you mean ${found.suggestions.map(visible).join(" or ")}?`) : "");
  }
  return h("article", {},
    h("h2", {}, spelled(found.category), " ", found.valid
      ? h("span", { class: "badge good" }, "valid") : h("span", { class: "badge warn" }, visible(found.error))),
    h("pre", {}, found.tree.map(visible).join("\n")), slots(found));
}

async function showOracle() {
  const category = $("oracle-category").value.trim();
  if (!category) return;
  await attempt(async () => {
    const asked = { k: Number($("oracle-k").value), n: Number($("oracle-n").value), all: $("oracle-all").checked };
    const { categories: [found] } = await post("/api/oracle", { categories: [category], ...asked });
    $("sequences").replaceChildren(h("h2", {}, spelled(found.category)), h("p", { class: "quiet" }, `${found.atoms} atoms`),
      h("h3", {}, "As tags"), table(["Set", "Sequences", "Tags"], sequenceRows(found.sets)),
      h("h3", {}, "As transitions"), table(["T", "Stack", "Buffer", "Action"], found.transitions.map((step) =>
        [String(step.time), step.stack.join(" "), step.buffer.join(" "), step.action])));
  });
}

function sequenceRows(sets) {
  return Object.entries(sets).flatMap(([name, { count, sequences }]) =>
    sequences.length
      ? sequences.map((tags, i) => [i ? "" : name, i ? "" : String(count), tags.join("  ")])
      : [[name, "0", "the set cannot express it"]]);
}

function table(heads, rows) {
  return h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "code" },
    h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text))),
    rows.map((row) => h("tr", {}, row.map((text) => h("td", {}, visible(text)))))));
}

/** What a link keeps of each tab. */
export const state = {
  categories: () => ({ list: $("category-list").value, inventory: $("inventory").value, left: $("left").checked }),
  oracle: () => ({ category: $("oracle-category").value, k: $("oracle-k").value, n: $("oracle-n").value, all: $("oracle-all").checked }),
};

/** Brings a kept state back. */
export const restore = {
  async categories(kept) {
    $("category-list").value = String(kept.list ?? "");
    $("inventory").value = kept.inventory || "";
    $("left").checked = kept.left === true;
    await check();
  },
  async oracle(kept) {
    $("oracle-category").value = String(kept.category ?? "");
    $("oracle-k").value = Number(kept.k ?? 10);
    $("oracle-n").value = Number(kept.n ?? 2);
    $("oracle-all").checked = kept.all === true;
    await showOracle();
  },
};

/** Wires the tabs; `changed` has the link follow. */
export function wire(changed) {
  for (const [form, work] of [["categories-form", check], ["oracle-form", showOracle]]) {
    $(form).addEventListener("submit", async (event) => {
      event.preventDefault();
      await work();
      changed();
    });
  }
}
