// Elements, made without a line of HTML: whatever a text holds, it is shown and never read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** The element of that id. */
export const $ = (id) => document.getElementById(id);

/** An element with attributes, properties (`onclick`, `value` …) and children, strings among them. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// control and formatting characters, without the joiners that Persian, Indic scripts and emoji need
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** The text with characters that one does not see, or that turn others round, as escapes. */
export function visible(text) {
  return text.replace(HIDDEN, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** A category with its features as subscripts. */
export function spelled(category) {
  return visible(category)
    .split(/(\[[^\]]*\])/)
    .filter((part) => part)
    .map((part) => (part.startsWith("[") ? h("sub", {}, part.slice(1, -1)) : part));
}

/** A button. */
export function button(text, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, text);
}

/** Offers content as a file to be kept. */
export function download(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Says in a line what goes on. */
export function say(text) {
  $("status").textContent = text;
}

/** Shows what went wrong; nothing takes it away. */
export function complain(error) {
  const text = error ? visible(String(error.message ?? error)) : "";
  $("trouble").textContent = text;
  $("trouble").hidden = !text;
  if (text) say("");
}

/** Runs the work behind a button or form, and shows what goes wrong. */
export async function attempt(work) {
  complain(null);
  try {
    return await work();
  } catch (error) {
    if (error.name !== "AbortError") complain(error);
    return undefined;
  }
}
