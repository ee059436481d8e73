// The service: questions as JSON, and sentences one after the other.

import { $ } from "./dom.js";

const TOKEN = "ccgkit-token";

/** What the service refused to answer, and why. */
export class Refused extends Error {
  constructor(status, { error, where }) {
    super(where ? `${error} (${where})` : error);
    this.status = status;
  }
}

/** The JSON answer to a GET. */
export const ask = async (path) => (await request(path, {})).json();

/** The JSON answer to a question. */
export const post = async (path, body, signal) => (await send(path, body, {}, signal)).json();

/** The text of an answer that is a file. */
export const postForText = async (path, body) => (await send(path, body, {})).text();

/** The sentences of an answer, as they come. */
export async function* stream(path, body, signal) {
  const answer = await send(path, body, { Accept: "application/x-ndjson" }, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const sentence = JSON.parse(line);
      if (sentence.error) throw new Refused(503, sentence);
      yield sentence;
    }
  }
  if (rest) throw new Error("the answer ended too early");
}

function send(path, body, headers, signal) {
  const sent = { "Content-Type": "application/json", ...headers };
  return request(path, { method: "POST", headers: sent, body: JSON.stringify(body), signal });
}

async function request(path, options) {
  for (;;) {
    const token = sessionStorage.getItem(TOKEN);
    const answer = await reached(path, options, token);
    if (answer.ok) return answer;
    const told = await answer.json().catch(() => ({ error: `the service answered ${answer.status}` }));
    if (answer.status !== 401) throw new Refused(answer.status, told);
    // an answer may come late, when another question's has had a token given already
    if (token === sessionStorage.getItem(TOKEN)) await askForToken();
  }
}

async function reached(path, options, token) {
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  try {
    return await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the service cannot be reached");
  }
}

let asking = null; // questions at the same time share one answer

function askForToken() {
  const dialog = $("token-dialog");
  asking ??= new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      sessionStorage.setItem(TOKEN, $("token").value);
      asking = null;
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}
