// Dependencies as arcs over the words, from each head to what fills its slots.

import { s, visible } from "./dom.js";

const GAP = 18, STEP = 24, BASE = 20;
const ruler = document.createElement("canvas").getContext("2d");

/** The drawing: words below, arcs above; an arc's number is the slot of its head's category. */
export function arcs(words, dependencies) {
  ruler.font = '15px system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
  const shown = words.map(visible);
  const middles = [];
  let x = 8;
  for (const word of shown) {
    const width = Math.max(24, ruler.measureText(word).width);
    middles.push(x + width / 2);
    x += width + GAP;
  }
  const layers = layered(dependencies);
  const height = Math.max(0, ...layers.values()) * STEP + 30;
  const drawn = dependencies.map((link) => arc(link, words, middles, layers.get(link), height));
  const texts = shown.map((word, i) => s("text", { x: middles[i], y: height + BASE }, word));
  const label = dependencies.map((link) => told(link, words)).join("; ") || "no dependencies";
  const size = { width: x, height: height + BASE + 10 };
  return s("svg", { class: "arcs", role: "img", "aria-label": label, ...size }, drawn, texts);
}

/** The height of each arc: above all that it contains and that begin or end where it does. */
function layered(dependencies) {
  const ends = (link) => [Math.min(link.head, link.argument), Math.max(link.head, link.argument)];
  const length = (link) => ends(link)[1] - ends(link)[0];
  const layers = new Map();
  for (const link of [...dependencies].sort((a, b) => length(a) - length(b))) {
    const [from, to] = ends(link);
    const below = [...layers].filter(([other]) => ends(other)[0] < to && from < ends(other)[1]);
    layers.set(link, 1 + Math.max(0, ...below.map(([, layer]) => layer)));
  }
  return layers;
}

function arc(link, words, middles, layer, height) {
  const aside = link.head < link.argument ? 5 : -5; // arcs that leave a word do not hide those that reach it
  const from = middles[link.head] + aside, to = middles[link.argument] - aside;
  const top = height - layer * STEP, bend = Math.min(14, Math.abs(to - from) / 2) * Math.sign(to - from);
  const line = `M${from} ${height}Q${from} ${top} ${from + bend} ${top}H${to - bend}Q${to} ${top} ${to} ${height - 5}`;
  return s("g", {}, s("title", {}, told(link, words)), s("path", { d: line }),
    s("path", { class: "tip", d: `M${to} ${height}l-4 -8h8z` }),
    s("text", { class: "label", x: (from + to) / 2, y: top + 4 }, link.slot));
}

function told(link, words) {
  const [head, argument] = [words[link.head], words[link.argument]];
  return visible(`${head}, ${link.category}, slot ${link.slot}: ${argument}`);
}
