// One sentence: its readings, dependencies and supertags, and what one wants of them.

import { post, postForText } from "./api.js";
import { arcs } from "./arcs.js";
import { differing, draw, places } from "./derivation.js";
import { attempt, button, download, h, say, spelled, visible } from "./dom.js";
import { fade, show } from "./explanation.js";

const RULES = {}; // names by symbol
const KINDS = { parsed: "good", doubtful: "warn", fragments: "warn", failed: "bad" };
const FILES = {
  svg: ["SVG", "image/svg+xml"], png: ["PNG", "image/png"], latex: ["LaTeX", "application/x-tex"],
  auto: [".auto", "text/plain"], json: ["JSON", "application/json"],
};
const ENDINGS = { latex: "tex" };

/** Learns the names of the rules. */
export function nameRules(rules) {
  for (const { symbol, name } of rules) RULES[symbol] = name;
}

/** The words of a sentence. */
export const words = (sentence) => sentence.tokens.map((token) => token.word);

/** A view of a sentence; `onwish` is called when other constraints are wanted. */
export class SentenceView {
  /** `tagged` has the supertags of each word, `wish` what is kept of an earlier view. */
  constructor(tagged, onwish, wish = {}) {
    this.tagged = tagged;
    this.onwish = onwish;
    this.filters = new Map(wish.filters ?? []);
    this.spans = wish.spans ?? [];
    this.reading = wish.reading ?? 0;
    this.together = wish.together ?? false;
    this.folded = new Set(wish.folded ?? []);
    this.zoom = 1;
    this.links = new Map(); // of readings but the first: dependencies
    this.element = h("article", {});
    this.words = words(tagged);
  }

  /** What a link keeps. */
  get wish() {
    const { filters, spans, reading, together, folded } = this;
    const kept = { filters: [...filters], spans, reading, together, folded: [...folded] };
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => (Array.isArray(value) ? value.length : value)));
  }

  /** The constraints as the service takes them. */
  get constraints() {
    const filters = [...this.filters].map(([word, category]) => ({ word, categories: [category] }));
    return filters.length || this.spans.length ? { filters, spans: this.spans } : null;
  }

  /** Shows another result of parsing. */
  update(parsed) {
    const before = this.parsed?.derivations?.[this.reading];
    this.parsed = parsed;
    this.links = new Map([[0, parsed.dependencies ?? []]]);
    this.reading = Math.min(this.reading, Math.max(0, (parsed.derivations?.length ?? 0) - 1));
    if (before && JSON.stringify(before) !== JSON.stringify(this.derivation)) this.folded.clear();
    this.render();
  }

  get derivation() {
    return this.parsed.derivations?.[this.reading];
  }

  render() {
    const opened = new Set([...this.element.querySelectorAll("details:not([open])")].map((one) => one.dataset.name));
    const part = (name, ...content) =>
      h("details", { open: !opened.has(name), "data-name": name }, h("summary", {}, name), ...content);
    this.element.replaceChildren(
      this.heading(),
      ...(this.derivation ? [this.toolbar(), this.drawings()] : []),
      part("Dependencies", this.arcsBox()),
      part("Supertags", this.supertags()),
      part("Constraints", this.wishes()),
    );
  }

  heading() {
    const { status = "", reason, confidence } = this.parsed.meta ?? {};
    const sure = confidence ? ` confidence ${Number(confidence).toFixed(2)}` : "";
    const name = this.parsed.id ? h("span", { class: "quiet" }, h("bdi", {}, visible(this.parsed.id)), " ") : "";
    return h("div", {},
      h("h2", { dir: "auto" }, name, visible(this.parsed.text ?? this.words.join(" "))),
      h("p", { class: "quiet" },
        status ? h("span", { class: `badge ${KINDS[status] ?? ""}` }, status) : "", sure,
        reason ? ` — ${visible(reason)}` : ""));
  }

  toolbar() {
    const scores = (this.parsed.meta?.scores ?? "").split(" ");
    const readings = this.parsed.derivations.map((_, i) =>
      button(`Reading ${i + 1}`, () => this.choose(i),
        { "aria-pressed": String(i === this.reading && !this.together), title: scores[i] ? `log-probability ${scores[i]}` : null }));
    const several = readings.length > 1;
    const beside = () => ((this.together = !this.together), this.changed());
    return h("div", { class: "row" },
      several ? readings : "",
      several ? button("Side by side", beside, { "aria-pressed": String(this.together) }) : "",
      button("−", () => this.scale(1 / 1.2), { "aria-label": "smaller" }),
      button("+", () => this.scale(1.2), { "aria-label": "larger" }),
      this.folded.size ? button("Unfold all", () => (this.folded.clear(), this.changed())) : "",
      h("label", {}, "Download ", h("select", { onchange: (event) => this.download(event.target) },
        h("option", { value: "" }, "…"), Object.entries(FILES).map(([value, [name]]) => h("option", { value }, name)))));
  }

  drawings() {
    const all = this.parsed.derivations;
    if (!this.together) return this.drawing(this.reading, new Set());
    const marked = differing(all);
    const sides = all.map((_, i) => h("div", {}, h("h3", {}, `Reading ${i + 1}`), this.drawing(i, marked)));
    return h("div", {}, h("p", { class: "quiet" }, "Marked is what not every reading has."), h("div", { class: "sides" }, sides));
  }

  drawing(reading, marked) {
    const told = (place) => ({
      category: place.node.category,
      words: this.words.slice(place.start, place.end).join(" "),
      rule: RULES[place.node.rule],
    });
    const box = draw(this.words, this.parsed.derivations[reading], {
      folded: this.together ? new Set() : this.folded, marked, rules: RULES, zoom: this.zoom,
      onpoint: (place) => show(told(place)),
      onchoose: (place, event) => show(told(place), this.actions(place), event.currentTarget),
    });
    box.addEventListener("mouseleave", fade);
    return box;
  }

  /** What can be done with a constituent. */
  actions(place) {
    const { start, end, index, node } = place;
    const found = [];
    if (end - start > 1) {
      found.push(["Require", () => this.want({ start, end })], ["Forbid", () => this.want({ start, end, wanted: false })]);
    } else if (!node.children) found.push(["Fix", () => this.fix(start, node.category)]);
    if (node.children && !this.together) {
      const fold = () => (this.folded.has(index) ? this.folded.delete(index) : this.folded.add(index), this.changed());
      found.push([this.folded.has(index) ? "Unfold" : "Fold", fold]);
    }
    return found;
  }

  arcsBox() {
    const box = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "dependencies" });
    const fill = (links) => box.replaceChildren(arcs(this.words, links));
    const { reading } = this;
    if (this.links.has(reading)) fill(this.links.get(reading));
    else attempt(async () => {
      const { sentences } = await post("/api/read", { text: JSON.stringify(this.one(reading)), format: "jsonl" });
      this.links.set(reading, sentences[0].dependencies ?? []);
      fill(this.links.get(reading));
    });
    return box;
  }

  supertags() {
    const used = this.parsed.tokens.map((token) => token.tags?.[0]?.category);
    const columns = this.tagged.tokens.map((token, word) => h("div", { class: "word", role: "group", "aria-label": visible(token.word) },
      h("strong", {}, h("bdi", {}, visible(token.word))),
      h("span", { class: "quiet" }, token.pos ?? ""),
      (token.tags ?? []).map(({ category, logprob = 0 }) => {
        const fixed = this.filters.get(word) === category;
        const probability = Math.exp(logprob);
        return h("button", {
          type: "button", class: `tag${used[word] === category ? " used" : ""}`, "aria-pressed": String(fixed),
          title: fixed ? "fixed: click to let it go" : "click to fix this category",
          onclick: () => this.fix(word, category),
          onmouseenter: () => show({ category, words: token.word }), onmouseleave: fade,
        }, h("span", {}, spelled(category)), h("span", { class: "quiet" }, probability < 0.001 ? "<.001" : probability.toFixed(3)));
      })));
    return h("div", { class: "scroll words", tabindex: "0", role: "group", "aria-label": "supertags of each word" }, columns);
  }

  wishes() {
    const phrase = (start, end) => `“${visible(this.words.slice(start, end).join(" "))}”`;
    const chip = (text, remove) => h("li", {}, text, button("×", remove, { "aria-label": "remove" }));
    const chips = [
      ...[...this.filters].map(([word, category]) =>
        chip([phrase(word, word + 1), " is ", spelled(category)], () => this.fix(word, category))),
      ...this.spans.map((span) =>
        chip(`${phrase(span.start, span.end)} is ${span.wanted === false ? "not a" : "a"} constituent`, () => this.want(span))),
    ];
    const choice = (label, chosen) => h("label", {}, label, h("select", {}, this.words.map((word, i) =>
      h("option", { value: i, selected: i === chosen }, `${i + 1} ${visible(word)}`))));
    const from = choice("From ", 0), to = choice(" to ", Math.min(1, this.words.length - 1));
    const span = (wanted) => {
      const [start, end] = [from, to].map((one) => Number(one.querySelector("select").value)).sort((a, b) => a - b);
      this.want({ start, end: end + 1, ...(wanted ? {} : { wanted }) });
    };
    return h("div", {},
      chips.length ? h("ul", { class: "chips" }, chips) : h("p", { class: "quiet" }, "None: click a supertag to fix it, a category of the derivation to require or forbid its words, or choose words here."),
      h("div", { class: "row" }, from, to, button("Require", () => span(true)), button("Forbid", () => span(false))));
  }

  /** Fixes a word's category, or lets it go. */
  fix(word, category) {
    if (this.filters.get(word) === category) this.filters.delete(word);
    else this.filters.set(word, category);
    this.onwish(this);
  }

  /** Requires or forbids a span, or lets it go. */
  want(span) {
    const same = (one) => one.start === span.start && one.end === span.end;
    const there = this.spans.find(same);
    this.spans = this.spans.filter((one) => !same(one));
    if (!there || (there.wanted ?? true) !== (span.wanted ?? true)) this.spans.push(span);
    this.onwish(this);
  }

  choose(reading) {
    this.reading = reading;
    this.together = false;
    this.folded.clear();
    this.changed();
  }

  scale(factor) {
    this.zoom = Math.min(3, Math.max(0.4, this.zoom * factor));
    this.render();
  }

  /** Draws anew and has the link follow. */
  changed() {
    this.render();
    this.element.dispatchEvent(new CustomEvent("change", { bubbles: true }));
  }

  /** The sentence with one reading only. */
  one(reading) {
    const { dependencies, derivations, ...rest } = this.parsed;
    return { ...rest, derivations: [derivations[reading]] };
  }

  async download(select) {
    const form = select.value;
    select.value = "";
    await attempt(async () => {
      const name = `${this.words.slice(0, 4).join("-").replace(/[^\p{L}\p{N}-]/gu, "") || "sentence"}.${ENDINGS[form] ?? form}`;
      download(name, await this.file(form), FILES[form][1]);
      say(`Saved ${name}.`);
    });
  }

  async file(form) {
    if (form === "json") return JSON.stringify(this.parsed, null, 1) + "\n";
    const drawn = await postForText("/api/render", { sentences: [this.one(this.reading)], format: form === "png" ? "svg" : form });
    return form === "png" ? picture(drawn) : drawn;
  }
}

/** An SVG as PNG, twice its size. */
async function picture(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = h("canvas", { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** How many constituents two derivations share, and those that only one has, as rows of (words, category, side). */
export function comparison(sentence, left, right) {
  const marked = differing([left, right]);
  const rows = [left, right].flatMap((one, side) => places(one)
    .filter((place) => marked.has(`${place.start} ${place.end} ${place.node.category}`))
    .map((place) => ({ words: words(sentence).slice(place.start, place.end).join(" "), category: place.node.category, side, start: place.start })));
  return { marked, rows: rows.sort((a, b) => a.start - b.start || a.side - b.side) };
}
