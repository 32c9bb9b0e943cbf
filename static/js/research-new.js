/** The form that asks for a report: says what kind of report the question asks for, and how many researchers go. */
import { say } from "./sentences.js";

const PAUSE_MS = 350;

const form = document.querySelector("[data-ask]");
const shown = form.querySelector("[data-detected]");
const question = form.elements.query;
const type = form.querySelector("[data-type]");
let timer = null;
let asked = null;

/** Fills what the person has not changed; `read` tells the server which question it was filled for. */
function show(text, found) {
  shown.textContent = found.sentence;
  for (const element of form.querySelectorAll("[data-understood]")) {
    if (!("mine" in element.dataset)) element.value = found.understood[element.name];
  }
  form.elements.read.value = text;
  const items = form.querySelector("[data-items]");
  if (items && found.report_type === "catalog") items.open = true;
}

async function detect() {
  asked?.abort();
  const text = question.value.trim();
  if (!text) {
    shown.textContent = "";
    return;
  }
  asked = new AbortController();
  const query = new URLSearchParams({ query: text, report_type: "mine" in type.dataset ? type.value : "automatic" });
  try {
    const response = await fetch(`${form.dataset.detect}?${query}`, {
      headers: { Accept: "application/json" },
      signal: asked.signal,
    });
    if (response.ok && !response.redirected) show(text, await response.json());
  } catch {
    // Typed on, or the line is down: the next page says it.
  }
}

function later() {
  window.clearTimeout(timer);
  timer = window.setTimeout(detect, PAUSE_MS);
}

question.addEventListener("input", later);
for (const element of form.querySelectorAll("[data-understood]")) {
  element.addEventListener("input", () => (element.dataset.mine = ""));
}
type.addEventListener("change", detect);

for (const link of document.querySelectorAll(".examples a")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    question.value = link.textContent;
    question.focus();
    detect();
  });
}

const allocation = form.querySelector("[data-allocation]");
const counts = [...allocation.querySelectorAll('input[type="number"]')];
const total = allocation.querySelector("[data-total]");

function count() {
  const sum = counts.reduce((found, input) => found + (Number(input.value) || 0), 0);
  total.textContent = say("{count} of 3 researchers", { count: sum });
  total.classList.toggle("too-many", sum > 3 || sum < 1);
  total.hidden = form.elements.allocation.value !== "chosen";
}

for (const input of counts) {
  input.addEventListener("input", () => {
    form.elements.allocation.value = "chosen";
    count();
  });
}
for (const choice of form.querySelectorAll('[name="allocation"]')) choice.addEventListener("change", count);
count();
