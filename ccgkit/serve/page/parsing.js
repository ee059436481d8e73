// The tab that parses text, and the one that sets derivations beside what the parser finds.

import { post } from "./api.js";
import { draw } from "./derivation.js";
import { $, attempt, h, say, spelled, visible } from "./dom.js";
import { hide } from "./explanation.js";
import { comparison, SentenceView, words } from "./sentence.js";

const TAGGING = { k: 10, beta: 1e-4 }; // as the parser has it
const EXAMPLES = {
  en: ["United serves Miami.", "I saw the old man with a telescope.", "What does Ada think that Bo likes?",
    "John likes and Mary hates the book.", "The dog that chased the cat sleeps in the garden."],
  de: ["Ich sehe den alten Mann mit einem Fernrohr.", "Der Hund schläft im Garten."],
  it: ["Maria legge un libro in giardino.", "Il cane dorme."],
  nl: ["De oude man ziet een hond in de tuin.", "Zij leest een boek."],
};
let views = [];
let models = [];

/** Fills the choices with the models of the service. */
export function offer(found) {
  models = found;
  const languages = [...new Set(models.map((model) => model.language))];
  $("language").replaceChildren(...languages.map((code) => h("option", { value: code }, code || "any")));
  choose(models[0].name);
}

function choose(name) {
  const model = models.find((one) => one.name === name) ?? models[0];
  const fitting = models.filter((one) => one.language === model.language);
  const examples = EXAMPLES[model.language] ?? EXAMPLES.en;
  $("language").value = model.language;
  $("model").replaceChildren(...fitting.map((one) => h("option", { value: one.name }, one.name)));
  $("model").value = model.name;
  nameNotation();
  $("example").replaceChildren(h("option", { value: "" }, "…"), ...examples.map((text) => h("option", {}, text)));
}

/** Says which notation is the model's own. */
function nameNotation() {
  const model = models.find((one) => one.name === $("model").value);
  $("notation").options[0].textContent = model.notation;
  for (const option of $("notation").options) option.hidden = option.value === model.scheme;
}

/** What a link keeps of the tab. */
export function state() {
  return {
    text: $("text").value, model: $("model").value, notation: $("notation").value, nbest: Number($("nbest").value),
    wishes: views.map((view) => view.wish),
  };
}

/** Brings a kept state back and parses. */
export async function restore(kept) {
  choose(kept.model);
  $("text").value = String(kept.text ?? "");
  $("notation").value = kept.notation || "";
  $("nbest").value = kept.nbest ?? 1;
  if ($("text").value.trim()) await parse(Array.isArray(kept.wishes) ? kept.wishes : []);
}

const asked = () => ({
  model: $("model").value, nbest: Number($("nbest").value), ...($("notation").value ? { notation: $("notation").value } : {}),
});

/** Tags and parses the text; tags are kept, so that a wish costs only the parser's time. */
async function parse(wishes = []) {
  await attempt(async () => {
    hide();
    say("Parsing …");
    const begun = performance.now();
    const { sentences } = await post("/api/tag", { text: $("text").value, model: $("model").value, ...TAGGING });
    views = sentences.map((sentence, i) => new SentenceView(sentence, again, wishes[i]));
    const parsed = await parsedAll(views);
    views.forEach((view, i) => view.update(parsed[i]));
    $("parsed").replaceChildren(...views.map((view) => view.element));
    const count = views.length === 1 ? "1 sentence" : `${views.length} sentences`;
    say(`${count} in ${((performance.now() - begun) / 1000).toFixed(2)} s.`);
    $("parsed").dispatchEvent(new CustomEvent("change", { bubbles: true }));
  });
}

async function parsedAll(wanted) {
  if (!wanted.length) return [];
  const body = { sentences: wanted.map((view) => view.tagged), constraints: wanted.map((view) => view.constraints), ...asked() };
  return (await post("/api/parse", body)).sentences;
}

async function again(view) {
  await attempt(async () => {
    const [parsed] = await parsedAll([view]);
    view.update(parsed);
    say(view.constraints ? "Parsed again under your constraints." : "Parsed again.");
    view.element.dispatchEvent(new CustomEvent("change", { bubbles: true }));
  });
}

async function readGold() {
  return (await post("/api/read", { text: $("gold").value })).sentences.filter((one) => one.derivations?.length);
}

async function showGold() {
  await attempt(async () => {
    const found = (await readGold()).map((sentence) => {
      const view = new SentenceView(sentence, () => {});
      view.update(sentence);
      view.element.querySelector("[data-name=Constraints]").remove();
      return view.element;
    });
    $("compared").replaceChildren(...found);
    say(found.length === 1 ? "1 derivation." : `${found.length} derivations.`);
  });
}

async function compareGold() {
  await attempt(async () => {
    say("Parsing …");
    const gold = await readGold();
    if (!gold.length) return say("There are no derivations.");
    const { sentences } = await post("/api/parse", { sentences: gold.map(words), model: $("model").value });
    const sections = gold.map((one, i) => compared(one, sentences[i]));
    $("compared").replaceChildren(...sections.map((section) => section.element));
    const same = sections.filter((section) => section.same).length;
    say(`${same} of ${gold.length} derivations are the same.`);
  });
}

function compared(gold, parsed) {
  const heading = h("h2", { dir: "auto" }, gold.id ? [h("bdi", { class: "quiet" }, visible(gold.id)), " "] : "", visible(words(gold).join(" ")));
  const [left, right] = [gold, parsed].map((one) => one.derivations?.[0]);
  if (!right) {
    const reason = visible(parsed.meta?.reason ?? "no derivation");
    return { same: false, element: h("article", {}, heading, h("p", { class: "warn" }, `The parser has no derivation: ${reason}`), draw(words(gold), left)) };
  }
  const { marked, rows } = comparison(gold, left, right);
  const sides = [["Given", left], ["Parser", right]].map(([name, tree]) =>
    h("div", {}, h("h3", {}, name), draw(words(gold), tree, { marked })));
  const table = h("table", {}, h("tr", {}, ["Words", "Category", "Only in"].map((text) => h("th", { scope: "col" }, text))),
    rows.map((row) => h("tr", {}, h("td", {}, h("bdi", {}, visible(row.words))), h("td", {}, spelled(row.category)), h("td", {}, row.side ? "parser" : "given"))));
  return {
    same: !rows.length,
    element: h("article", {}, heading, h("div", { class: "sides" }, sides),
      rows.length ? h("div", { class: "scroll" }, h("h3", {}, "Differences"), table) : h("p", { class: "good" }, "No difference.")),
  };
}

/** Wires the tabs. */
export function wire(copyLink) {
  const begin = (event) => (event.preventDefault(), parse());
  $("parse-form").addEventListener("submit", begin);
  $("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) begin(event);
  });
  $("example").addEventListener("change", () => {
    if ($("example").value) ($("text").value = $("example").value), parse();
  });
  $("language").addEventListener("change", () => choose(models.find((one) => one.language === $("language").value).name));
  $("model").addEventListener("change", nameNotation);
  for (const id of ["nbest", "notation"]) $(id).addEventListener("change", () => $("text").value.trim() && parse(views.map((view) => view.wish)));
  $("link").addEventListener("click", copyLink);
  $("compare-form").addEventListener("submit", (event) => (event.preventDefault(), showGold()));
  $("against").addEventListener("click", compareGold);
  $("gold").addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    $("gold").value = await file.text();
    showGold();
  });
}
