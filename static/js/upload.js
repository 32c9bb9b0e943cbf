/** Choose or drop files, send each with its own progress, then show the batch. Without this the form works as it is. */
import { csrfToken } from "./csrf.js";
import { say } from "./sentences.js";

const form = document.querySelector("[data-upload]");
const input = form.querySelector('input[type="file"]');
const drop = form.querySelector("[data-drop]");
const list = form.querySelector("[data-chosen]");
const send = form.querySelector("[data-send]");
const problem = form.querySelector("[data-problem]");
const oneEntry = form.elements.one_entry;
const expected = form.elements.expected_entries;
/** What is said of all the files; the server takes it with the first of them. */
const ofAll = form.querySelectorAll(".said :is(input, select)");
const preview = form.querySelector("[data-said-preview]");
const maxBytes = Number(form.dataset.maxBytes);
/** Longest wait in seconds that a server that is busy may ask for, and how often a file waits. */
const LONGEST_WAIT = 60;
const MOST_WAITS = 3;

/** @type {{file: File, row: HTMLElement, done: boolean, request: XMLHttpRequest | null}[]} */
let chosen = [];
let sending = false;
/** The server takes nothing for now, whatever the file. */
let refused = false;

function sizeOf(bytes) {
  return bytes >= 1048576 ? `${(bytes / 1048576).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} kB`;
}

function add(files) {
  for (const file of files) {
    const item = { file, row: document.createElement("li"), done: false, request: null };
    item.row.append(...parts(item));
    list.append(item.row);
    chosen.push(item);
    if (file.size > maxBytes) state(item, say("Too large for one upload"), true);
  }
  input.required = chosen.length === 0;
}

function parts(item) {
  const name = document.createElement("span");
  name.className = "filename";
  name.textContent = item.file.name;
  const text = document.createElement("span");
  text.className = "state";
  text.textContent = sizeOf(item.file.size);
  const progress = document.createElement("progress");
  progress.max = 1;
  progress.value = 0;
  progress.setAttribute("aria-label", say("Upload progress of {name}", { name: item.file.name }));
  const cancel = document.createElement("button");
  cancel.type = "button";
  cancel.className = "quiet";
  cancel.textContent = say("Remove");
  cancel.setAttribute("aria-label", say("Remove {name}", { name: item.file.name }));
  cancel.addEventListener("click", () => remove(item));
  return [name, text, progress, cancel];
}

function state(item, text, bad = false) {
  const place = item.row.querySelector(".state");
  place.textContent = text;
  place.classList.toggle("bad", bad);
}

function remove(item) {
  item.request?.abort();
  item.row.remove();
  chosen = chosen.filter((other) => other !== item);
  input.required = chosen.length === 0;
}

/**
 * One request; `items` share it. Resolves with the answer, rejects with a sentence for people, and in `wait` the
 * seconds after which the server wants to be asked again, if it said so.
 */
function post(items, batchId) {
  const body = new FormData();
  for (const item of items) body.append("files", item.file, item.file.name);
  if (oneEntry.checked) body.append("one_entry", "yes");
  if (batchId) body.append("batch_id", batchId);
  if (expected.value) body.append("expected_entries", expected.value);
  for (const input of ofAll) if (input.value) body.append(input.name, input.value);
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.responseType = "json";
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRFToken", csrfToken());
  for (const item of items) item.request = request;
  return new Promise((resolve, reject) => {
    request.upload.addEventListener("progress", (event) => show(items, event.loaded));
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(request.response);
      else {
        const refusal = say("The server did not accept the file. Try again.");
        const wait = Number(request.getResponseHeader("Retry-After"));
        reject(Object.assign(new Error(request.response?.error?.help ?? refusal), { wait }));
      }
    });
    request.addEventListener("error", () => reject(new Error(say("The connection was lost. Try again."))));
    request.addEventListener("abort", () => resolve(null));
    request.send(body);
  });
}

/** Share the bytes that have left among the files, in their order. */
function show(items, loaded) {
  let left = loaded;
  for (const item of items) {
    const size = Math.max(item.file.size, 1);
    item.row.querySelector("progress").value = Math.min(1, left / size);
    if (left > 0) state(item, say(left >= size ? "Sent" : "Uploading…"));
    left = Math.max(0, left - size);
  }
}

function finished(items) {
  for (const item of items) {
    item.done = true;
    item.row.querySelector("progress").value = 1;
    item.row.querySelector("button").hidden = true;
    state(item, say("Sent"));
  }
}

async function sendAll() {
  const waiting = () => chosen.filter((item) => !item.done && item.file.size <= maxBytes);
  let answer = null;
  let failed = 0;
  refused = false;
  if (oneEntry.checked) {
    const items = waiting();
    if (items.reduce((sum, item) => sum + item.file.size, 0) > Number(form.dataset.maxRequest)) {
      for (const item of items) state(item, say("Too large for one upload"), true);
    } else answer = await attempt(items, null);
    failed = answer ? 0 : items.length;
  } else {
    for (const item of waiting()) {
      if (refused) break;
      if (!chosen.includes(item)) continue;
      const got = await attempt([item], form.dataset.batch);
      if (got) {
        answer = got;
        form.dataset.batch = got.batch_id;
      } else if (chosen.includes(item)) failed += 1;
    }
  }
  return { answer, failed };
}

/** Send files, again after each wait that a busy server asks for; one that asks for more is asked no further. */
async function attempt(items, batchId) {
  for (let waits = 0; ; waits += 1) {
    try {
      const answer = await post(items, batchId);
      if (answer) finished(items);
      return answer;
    } catch (error) {
      const again = error.wait > 0 && error.wait <= LONGEST_WAIT && waits < MOST_WAITS;
      const told = again ? ` ${say("Trying again in {seconds} s.", { seconds: error.wait })}` : "";
      for (const item of items) state(item, error.message + told, true);
      refused = error.wait > 0 && !again;
      if (!again) return null;
      await new Promise((resolve) => setTimeout(resolve, 1000 * error.wait));
      if (!items.every((item) => chosen.includes(item))) return null;
    }
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sending || chosen.length === 0) return;
  sending = true;
  send.disabled = true;
  problem.hidden = true;
  const { answer, failed } = await sendAll();
  sending = false;
  send.disabled = false;
  const kept = chosen.some((item) => !item.done);
  if (answer && !failed && !kept) {
    window.location.assign(answer.url);
  } else if (failed || kept) {
    problem.textContent = say("Some files were not sent. Remove them, or press Upload to try them again.");
    problem.hidden = false;
  }
});

function showSaid() {
  const given = [...ofAll].filter((one) => one.dataset.said && one.value);
  const text = (one) => one.selectedOptions?.[0].textContent ?? one.value;
  preview.textContent = `${preview.dataset.begin} ${given.map((one) => `${one.dataset.said}: ${text(one)}`).join(" · ")}`;
  preview.hidden = given.length === 0;
}

for (const one of ofAll) one.addEventListener("input", showSaid);
showSaid();

input.addEventListener("change", () => {
  add(input.files);
  input.value = "";
});

for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
for (const name of ["dragleave", "drop"]) {
  drop.addEventListener(name, () => drop.classList.remove("over"));
}
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  add(event.dataTransfer.files);
});
form.querySelector("[data-drop-hint]").hidden = false;
drop.classList.add("enhanced");
