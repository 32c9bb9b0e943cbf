/** The studio of forms: marks on the page and their inputs go together; every change is saved as it is made. */
import { Marks } from "./form-marks.js";
import { say } from "./sentences.js";

const SAVE_MS = 700;
const SIDES = ["x0", "y0", "x1", "y1"];
const root = document.querySelector("[data-studio]");
const form = root.querySelector("[data-marks-form]");
const svg = root.querySelector("[data-marks]");
const holder = form.querySelector("[data-inputs-of-marks]");
const problems = document.querySelector("[data-problems]");
const page = { width: Number(root.dataset.pageWidth), height: Number(root.dataset.pageHeight) };

/** The part whose place is to be drawn next, null for a new one. */
let target = null;
let timer = 0;
/** Requests go one after the other, each with the version that the one before it left. */
let sending = Promise.resolve();

const cardOf = (part) => document.getElementById(part.match(/^(field|print)-\d+/)?.[0])?.closest(".mark-card");
const inputsOf = (part) => {
  fill(cardOf(part));
  return holder.querySelector(`[data-inputs="${CSS.escape(part)}"]`);
};
const inputOf = (part, side) => inputsOf(part)?.querySelector(`[name="${CSS.escape(part)}-${side}"]`);
const told = (text) => {
  const place = holder.querySelector("[data-saved]");
  if (place) place.textContent = text;
};

const marks = new Marks(svg, page, {
  moved(part, box) {
    write(part, box);
    later();
  },
  drawn(box) {
    if (target) {
      const part = target;
      setTarget(null);
      write(part, box);
      marks.show(part, box);
      marks.choose(part);
      later();
      return;
    }
    const tool = root.querySelector('[name="tool"]:checked')?.value ?? "field";
    send(`add-${tool}`, Object.fromEntries(SIDES.map((side) => [`new-${side}`, box[side]])));
  },
  chosen(part) {
    for (const card of holder.querySelectorAll(".mark-card.chosen")) card.classList.remove("chosen");
    const card = part && inputsOf(part)?.closest(".mark-card");
    if (!card) return;
    card.classList.add("chosen");
    card.open = true;
    card.scrollIntoView({ block: "nearest" });
  },
  entered(part) {
    const card = inputsOf(part)?.closest(".mark-card");
    card?.querySelector("input:not([type=hidden]), textarea")?.focus();
  },
  emptied(part) {
    write(part, null);
    marks.show(part, null);
    entered(part);
    later();
  },
});

/** Put its inputs into a card that was never opened, in place of the values that it keeps. */
function fill(card) {
  const kept = card?.querySelector("[data-kept]");
  if (!kept) return;
  const [kind, number] = kept.id.split("-");
  const values = new Map([...kept.children].map((one) => [one.name, one.value]));
  const made = document.createElement("div");
  made.innerHTML = holder.querySelector(`template[data-part="${kind}"]`).innerHTML.replaceAll("NUMBER", number);
  const options = made.querySelector("[data-options]");
  if (options) {
    const count = [...values.keys()].filter((name) => /-option-\d+-value$/.test(name)).length;
    const list = options.querySelector(".options");
    list.innerHTML = Array.from({ length: count }, (_, at) => list.innerHTML.replaceAll("OPTION", at)).join("");
    if (!count && values.get(`${kept.id}-kind`) !== "choice") options.remove();
  }
  for (const input of made.querySelectorAll("[name]:not(button)")) {
    put(input, values.get(input.name) ?? "");
    values.delete(input.name);
  }
  for (const sides of made.querySelectorAll("[data-inputs]")) {
    const box = values.get(sides.dataset.inputs)?.split(" ") ?? [];
    sides.querySelectorAll("input").forEach((input, at) => put(input, box[at] ?? ""));
    values.delete(sides.dataset.inputs);
  }
  // What no input shows.
  for (const one of kept.querySelectorAll("input")) if (values.has(one.name)) made.append(one);
  const name = card.querySelector("summary .grow").textContent;
  for (const span of made.querySelectorAll("[data-of]")) {
    span.textContent = `: ${made.querySelector(`[name="${span.dataset.of}"]`)?.value ?? name}`;
  }
  if (number === "0") made.querySelector('[value="up-field-0"]')?.remove();
  kept.replaceWith(...made.childNodes);
  enhance();
}

function put(input, value) {
  if (input.type === "checkbox") input.checked = value === "yes";
  else input.value = value;
  if (input.matches("textarea")) input.rows = Math.max(value.split("\n").length, 1);
  // A field that was renamed since.
  if (input.matches("select") && input.value !== value) input.append(new Option(value, value, true, true));
}

function entered(part) {
  inputOf(part, "x0")?.focus();
}

function setTarget(part) {
  target = part;
  marks.drawing = part !== null;
  svg.classList.toggle("drawing", part !== null);
  told(part ? say("Drag over its place on the page.") : "");
}

function write(part, box) {
  for (const side of SIDES) {
    const input = inputOf(part, side);
    if (input) input.value = box ? Math.round(box[side] * 10) / 10 : "";
  }
}

/** The box that the inputs of a part hold; undefined while one of them is empty. */
function read(part) {
  const values = SIDES.map((side) => inputOf(part, side).value);
  if (values.every((value) => value === "")) return null;
  if (values.some((value) => value === "")) return undefined;
  return Object.fromEntries(SIDES.map((side, number) => [side, Number(values[number])]));
}

function later() {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => send(""), SAVE_MS);
}

function send(action, more = {}) {
  window.clearTimeout(timer);
  sending = sending.then(() => post(form.action, action, more)).catch(() => told(say("Not saved: the server is not responding.")));
  return sending;
}

async function post(address, action, more = {}) {
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries({ do: action, ...more })) body.set(name, value);
  told(say("Saving…"));
  const response = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });
  const answer = await response.json();
  if (response.status === 409) conflict(answer);
  else if (response.ok) settle(answer);
  else told(answer.message ?? answer.detail ?? say("Not saved: the server is not responding."));
}

function settle(answer) {
  problems.innerHTML = answer.problems;
  if (answer.inputs !== null) replace(answer);
  holder.querySelector('[name="version"]').value = answer.version;
  holder.querySelector("[data-undo]").disabled = answer.steps === 0;
  told(say("Saved"));
}

function replace(answer) {
  const name = document.activeElement?.name;
  const open = [...holder.querySelectorAll("details[open] > [id]")].map((part) => part.id);
  holder.innerHTML = answer.inputs;
  svg.innerHTML = answer.boxes;
  marks.chosen = null;
  for (const id of open) reveal(id, false);
  enhance();
  fill(cardOf(answer.part));
  if (document.getElementById(answer.part)) reveal(answer.part, true);
  else if (name) holder.querySelector(`[name="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}

/** Open what a part lies in, and lead there. */
function reveal(id, focus) {
  if (id) fill(cardOf(id));
  const part = id && document.getElementById(id);
  const card = part?.closest("details");
  if (card) card.open = true;
  if (!part || !focus) return;
  part.scrollIntoView({ block: "nearest" });
  part.querySelector("input:not([type=hidden]), textarea, select")?.focus({ preventScroll: true });
}

/** Somebody else has changed the draft: what stands now, or mine in its place. */
function conflict({ message, version }) {
  const box = document.createElement("div");
  box.className = "message problem";
  box.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = message;
  const theirs = button(say("Show the current version"), () => window.location.reload());
  const mine = button(say("Save mine over it"), () => {
    holder.querySelector('[name="version"]').value = version;
    box.remove();
    send("");
  });
  box.append(text, theirs, mine);
  problems.prepend(box);
  told("");
  theirs.focus();
}

function button(text, press) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}

function undo() {
  window.clearTimeout(timer);
  const { formAction } = holder.querySelector("[data-undo]");
  sending = sending.then(() => post(formAction, "")).catch(() => told(say("Not saved: the server is not responding.")));
}

function enhance() {
  for (const item of holder.querySelectorAll("[data-place]")) item.hidden = false;
}

holder.addEventListener("input", (event) => {
  const part = event.target.closest("[data-inputs]")?.dataset.inputs;
  if (part) {
    const box = read(part);
    if (box === undefined) {
      window.clearTimeout(timer);
      return;
    }
    marks.show(part, box);
  }
  if (event.target.matches("[data-kind]")) send("refresh");
  else later();
});

// The event does not bubble.
holder.addEventListener("toggle", (event) => event.target.matches(".mark-card[open]") && fill(event.target), true);

holder.addEventListener("focusin", (event) => {
  const part = event.target.closest("[data-inputs]")?.dataset.inputs;
  if (part && marks.rectOf(part)) marks.choose(part);
});

holder.addEventListener("click", (event) => {
  const place = event.target.closest("[data-place]");
  if (!place) return;
  const part = place.dataset.place;
  const rect = marks.rectOf(part);
  if (rect) {
    setTarget(null);
    rect.focus();
  } else setTarget(part);
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter?.matches("[data-undo]")) undo();
  else send(event.submitter?.value ?? "");
});

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
  // In an input the browser takes back what was typed there.
  if (event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  undo();
});

problems.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  event.preventDefault();
  reveal(link.hash.slice(1), true);
});

root.querySelector("[data-show-prints]").addEventListener("change", (event) => {
  svg.classList.toggle("without-prints", !event.target.checked);
});

for (const tools of root.querySelectorAll("[data-tools]")) tools.hidden = false;
enhance();
if (window.location.hash) reveal(window.location.hash.slice(1), true);
