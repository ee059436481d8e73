// The tab for files: sent in parts, answered sentence by sentence, kept as one file.

import { postForText, Refused, stream } from "./api.js";
import { $, attempt, button, download, h, say } from "./dom.js";

const PART = 50_000; // characters of a request
const WRITTEN = 200; // sentences that are turned into .auto at a time
const SHOWN = 5; // troubles that are told
const PAUSES = [1000, 2000, 4000, 8000]; // milliseconds, where the service is busy

let stopping = null;

/** The text in parts that end where paragraphs or lines do. */
function* parts(text, unit) {
  const lines = text.split(/(?<=\n)/);
  let part = "";
  for (const line of lines) {
    const between = unit === "lines" || !line.trim(); // a paragraph may have several lines
    part += line;
    if ((part.length >= PART && between) || part.length >= 4 * PART) {
      yield part;
      part = "";
    }
  }
  if (part.trim()) yield part;
}

const body = (part, unit) =>
  unit === "lines" ? { sentences: part.split("\n").map((line) => line.trim()).filter((line) => line) } : { text: part };

/** The sentences of a part. One that is refused is halved until what is at fault stands alone, which is told. */
async function* answers(part, unit, signal, trouble) {
  const asked = { ...body(part, unit), model: $("model").value };
  if (asked.sentences?.length === 0) return;
  let begun = false;
  for (let turn = 0; ; turn++) {
    try {
      for await (const sentence of stream(`/api/${$("task").value}`, asked, signal)) {
        begun = true;
        yield sentence;
      }
      return;
    } catch (error) {
      if (!(error instanceof Refused) || begun) throw error;
      if ([429, 503].includes(error.status) && turn < PAUSES.length) {
        await new Promise((done) => setTimeout(done, PAUSES[turn]));
        continue;
      }
      const lines = part.split(/(?<=\n)/);
      if (lines.length > 1) {
        const half = lines.length >> 1;
        yield* answers(lines.slice(0, half).join(""), unit, signal, trouble);
        yield* answers(lines.slice(half).join(""), unit, signal, trouble);
      } else trouble(part, error);
      return;
    }
  }
}

async function run(file) {
  const unit = $("lines").value, form = $("result").value;
  const text = await file.text();
  const bar = h("progress", { max: Math.max(1, text.length), value: 0, "aria-label": "progress" });
  const count = h("p", { class: "quiet" }), troubles = h("ul", { class: "bad" });
  $("batch").replaceChildren(bar, count, troubles);
  const kept = [], skipped = [];
  let done = 0, failed = 0;
  const trouble = (part, error) => {
    skipped.push(part);
    if (skipped.length <= SHOWN) troubles.append(h("li", {}, `Left out, “${part.trim().slice(0, 60)}”: ${error.message}`));
  };
  stopping = new AbortController();
  $("stop").disabled = false;
  try {
    for (const part of parts(text, unit)) {
      for await (const sentence of answers(part, unit, stopping.signal, trouble)) {
        kept.push(sentence);
        failed += $("task").value === "parse" && !sentence.derivations?.length;
        bar.value = done + Math.min(part.length, sentence.tokens.at(-1)?.end ?? 0);
        count.textContent = `${kept.length} sentences`;
      }
      done += part.length;
      bar.value = done;
    }
    say("Done.");
  } catch (error) {
    if (error.name !== "AbortError") throw error;
    say("Stopped: what there is can be kept.");
  } finally {
    stopping = null;
    $("stop").disabled = true;
    const notes = [failed && `${failed} without a derivation`, skipped.length && `${skipped.length} line${skipped.length === 1 ? "" : "s"} left out`].filter(Boolean);
    count.textContent = [`${kept.length} sentences`, ...notes].join(", ");
    const name = `${file.name.replace(/\.txt$/, "")}.${form}`;
    if (kept.length) $("batch").append(button(`Download ${name}`, () => attempt(() => keep(kept, form, name)), { class: "main" }));
  }
}

async function keep(sentences, form, name) {
  let written = "";
  if (form === "auto") {
    const drawn = sentences.filter((one) => one.derivations?.length);
    for (let i = 0; i < drawn.length; i += WRITTEN) {
      const some = drawn.slice(i, i + WRITTEN).map(({ dependencies, ...rest }, j) => ({ id: String(i + j + 1), ...rest }));
      written += await postForText("/api/render", { sentences: some, format: "auto" });
    }
  } else written = sentences.map((one) => JSON.stringify(one) + "\n").join("");
  download(name, written, "text/plain");
}

/** Wires the tab. */
export function wire() {
  const start = (file) => file && !stopping && attempt(() => run(file));
  $("files-form").addEventListener("submit", (event) => (event.preventDefault(), start($("file").files[0])));
  $("stop").addEventListener("click", () => stopping?.abort());
  $("task").addEventListener("change", () => {
    const tags = $("task").value === "tag";
    if (tags) $("result").value = "jsonl";
    $("result").querySelector("[value=auto]").disabled = tags;
  });
  const drop = $("drop");
  drop.addEventListener("dragover", (event) => (event.preventDefault(), drop.classList.add("over")));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    start(event.dataTransfer.files[0]);
  });
}
