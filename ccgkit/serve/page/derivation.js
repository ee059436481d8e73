// Derivations in the classical layout: words on top, each step a line under what it combines.

import { h, spelled, visible } from "./dom.js";

/** The nodes of a derivation with the words they span, children before parents; levels count steps. */
export function places(derivation, folded = new Set()) {
  const { nodes } = derivation;
  const spans = new Array(nodes.length);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { token, children } = nodes[i];
    spans[i] = children
      ? { start: spans[children[0]].start, end: spans[children.at(-1)].end }
      : { start: token, end: token + 1 };
  }
  const found = new Map();
  const hidden = new Set(); // under a folded node
  nodes.forEach((node, i) => {
    if (node.children && (hidden.has(i) || folded.has(i))) node.children.forEach((child) => hidden.add(child));
  });
  for (let i = nodes.length - 1; i >= 0; i--) {
    if (hidden.has(i)) continue;
    const isLeaf = !nodes[i].children || folded.has(i);
    const level = isLeaf ? 0 : 1 + Math.max(...nodes[i].children.map((child) => found.get(child).level));
    found.set(i, { index: i, node: nodes[i], ...spans[i], level, isLeaf, folded: folded.has(i) });
  }
  return [...found.values()];
}

/** What a constituent is known by, to compare derivations of the same words. */
export const key = ({ start, end, node }) => `${start} ${end} ${node.category}`;

/** The constituents of a derivation. */
export const constituents = (derivation) => new Set(places(derivation).map(key));

/** Those that not all of several derivations have. */
export function differing(derivations) {
  const sets = derivations.map(constituents);
  return new Set(sets.flatMap((one) => [...one]).filter((each) => !sets.every((other) => other.has(each))));
}

/**
 * The drawing. `marked` constituents stand out; `onpoint` is called with a place when it is pointed at or
 * focused, `onchoose` when it is clicked.
 */
export function draw(words, derivation, options = {}) {
  const { folded, marked = new Set(), onpoint, onchoose, rules = {}, zoom = 1 } = options;
  const all = places(derivation, folded).sort((a, b) => a.level - b.level || a.start - b.start); // as one reads
  const columns = new Map(); // of words: those of a folded node share one
  all.filter((place) => place.isLeaf).forEach((place, column) => {
    for (let word = place.start; word < place.end; word++) columns.set(word, column + 1);
  });
  const cells = all.flatMap((place) => {
    const from = columns.get(place.start), to = columns.get(place.end - 1) + 1;
    const spanned = words.slice(place.start, place.end).join(" ");
    const symbol = place.node.rule ?? "";
    const category = h("button", {
      type: "button",
      class: `ccg-category${marked.has(key(place)) ? " ccg-marked" : ""}`,
      "data-node": place.index,
      "aria-label": visible(`${place.node.category}: ${spanned}${symbol ? `, by ${rules[symbol] ?? symbol}` : ""}`),
      onclick: (event) => onchoose?.(place, event),
      onmouseenter: () => onpoint?.(place),
      onfocus: () => onpoint?.(place),
    }, spelled(place.node.category));
    if (place.isLeaf) {
      const word = h("bdi", {}, visible(place.folded ? `⟨${spanned}⟩` : spanned));
      const top = h("div", { class: `ccg-word${place.folded ? " ccg-folded" : ""}` }, word);
      return [at(top, 1, from, to), at(h("div", {}, category), 2, from, to)];
    }
    const line = h("div", { class: "ccg-line" }, symbol ? h("span", { class: "ccg-symbol" }, symbol) : "");
    return [at(h("div", { title: rules[symbol] }, line, category), place.level + 2, from, to)];
  });
  const grid = h("div", { class: "ccg" }, cells);
  grid.style.fontSize = `${zoom}em`;
  const label = visible(`derivation of: ${words.join(" ")}`);
  return h("div", { class: "ccg-box", tabindex: "0", role: "group", "aria-label": label }, grid);
}

function at(cell, row, from, to) {
  cell.style.gridArea = `${row} / ${from} / ${row + 1} / ${to}`;
  return cell;
}
