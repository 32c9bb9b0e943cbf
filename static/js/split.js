/** Plan entries by mouse and by keyboard. The plan lives in the form's own inputs; without this they are typed. */
const form = document.querySelector("[data-split]");
const texts = JSON.parse(form.dataset.texts);
/** By pages: what the entry that stands is called. */
const live = JSON.parse(form.dataset.live);
const place = form.querySelector("[data-entries]");
const tray = form.querySelector("[data-tray]");
const fresh = form.querySelector("[data-new]");
const preview = form.querySelector("[data-preview]");
const said = form.querySelector("[data-said]");
const blank = document.querySelector("[data-entry-template]");
const tiles = new Map([...form.querySelectorAll("[data-page]")].map((tile) => [tile.dataset.page, tile]));
const PREVIEW_MS = 250;

const keysIn = (list) => [...list.querySelectorAll("[data-page]")].map((tile) => tile.dataset.page);
let plan = {
  entries: [...place.querySelectorAll("[data-entry]")].map(keysIn),
  out: keysIn(tray),
  turns: Object.fromEntries([...tiles].map(([key, tile]) => [key, Number(tile.querySelector("select").value)])),
};
let past = [];
let future = [];
let saving = false;

const copy = (value) => JSON.parse(JSON.stringify(value));
const entryOf = (key) => plan.entries.findIndex((pages) => pages.includes(key));
const nameOf = (key) => tiles.get(key).dataset.name;
const say = (text, values) => {
  said.textContent = text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
};

/** Do one thing to the plan; remember how it was. */
function change(act) {
  const before = copy(plan);
  if (act() === false) return;
  plan.entries = plan.entries.filter((pages) => pages.length);
  past.push(before);
  future = [];
  show();
}

function travel(from, to) {
  if (!from.length) return;
  to.push(copy(plan));
  plan = from.pop();
  show();
}

function take(key) {
  plan.entries = plan.entries.map((pages) => pages.filter((other) => other !== key));
  plan.out = plan.out.filter((other) => other !== key);
}

/** One place on or back, over the entry's edge into its neighbour. */
function step(key, by) {
  const at = entryOf(key);
  if (at < 0) return false;
  const pages = plan.entries[at];
  const to = pages.indexOf(key) + by;
  if (to >= 0 && to < pages.length) {
    pages.splice(to, 0, ...pages.splice(to - by, 1));
  } else {
    const neighbour = plan.entries[at + by];
    if (!neighbour) return false;
    pages.splice(to - by, 1);
    if (by > 0) neighbour.unshift(key);
    else neighbour.push(key);
  }
}

function begin(key) {
  const at = entryOf(key);
  const index = at < 0 ? 0 : plan.entries[at].indexOf(key);
  if (index < 1) return false;
  plan.entries.splice(at + 1, 0, plan.entries[at].splice(index));
}

function join(at) {
  if (at < 1) return false;
  const [pages] = plan.entries.splice(at, 1);
  plan.entries[at - 1].push(...pages);
}

function leaveOut(key) {
  take(key);
  plan.out.push(key);
}

/** Behind the page that came in before it, else as an entry of its own. */
function takeBack(key) {
  take(key);
  const [file, number] = key.split("-").map(Number);
  for (let before = number - 1; before > 0; before -= 1) {
    const at = entryOf(`${file}-${before}`);
    if (at >= 0) {
      plan.entries[at].splice(plan.entries[at].indexOf(`${file}-${before}`) + 1, 0, key);
      return;
    }
  }
  plan.entries.push([key]);
}

const acts = {
  left: (key) => step(key, -1),
  right: (key) => step(key, 1),
  turn: (key) => {
    plan.turns[key] = (plan.turns[key] + 90) % 360;
  },
  out: leaveOut,
  back: takeBack,
  begin,
  join: (key) => join(entryOf(key)),
};

function act(name, key) {
  change(() => acts[name](key));
  const at = entryOf(key);
  const values = { page: nameOf(key), entry: at + 1, place: (plan.entries[at]?.indexOf(key) ?? 0) + 1, degrees: plan.turns[key] };
  say(at < 0 ? texts.out : name === "turn" ? texts.turned : texts.moved, values);
}

function signature(pages) {
  return pages.map((key) => `${key}:${plan.turns[key]}`).join(",");
}

/** Bring the page to what the plan says. Tiles are moved, not made, so that the focus can follow. */
function show() {
  const focused = document.activeElement;
  while (place.children.length < plan.entries.length) place.append(blank.content.cloneNode(true));
  while (place.children.length > plan.entries.length) rehome(place.lastElementChild);
  plan.entries.forEach((pages, at) => showEntry(place.children[at], pages, at));
  fill(tray, plan.out);
  tray.toggleAttribute("data-empty", plan.out.length === 0);
  plan.out.forEach((key) => showTile(key, "", "", true));
  refocus(focused);
  form.querySelector("[data-undo]").disabled = past.length === 0;
  form.querySelector("[data-redo]").disabled = future.length === 0;
  keep();
  look();
}

/** An entry less: its pages must outlive it. */
function rehome(section) {
  tray.querySelector("[data-pages]").append(...section.querySelectorAll("[data-page]"));
  section.remove();
}

function showEntry(section, pages, at) {
  const known = live[signature(pages)];
  const heading = section.querySelector("h2");
  heading.id = `entry-${at + 1}`;
  section.setAttribute("aria-labelledby", heading.id);
  section.querySelector("[data-number]").textContent = texts.entry.replace("{entry}", at + 1);
  section.querySelector("[data-about]").textContent = known ?? texts.read;
  section.classList.toggle("changed", !known);
  section.querySelector('[data-do="join"]').hidden = at === 0;
  section.querySelector('[data-do="join"]').setAttribute("aria-label", texts.join.replace("{entry}", at + 1));
  fill(section, pages);
  pages.forEach((key, index) => showTile(key, at + 1, index + 1, false));
}

function fill(section, pages) {
  const list = section.querySelector("[data-pages]");
  pages.forEach((key, index) => {
    const tile = tiles.get(key);
    if (list.children[index] !== tile) list.insertBefore(tile, list.children[index] ?? null);
  });
}

function showTile(key, entry, order, out) {
  const tile = tiles.get(key);
  form.elements[`entry-${key}`].value = entry;
  form.elements[`order-${key}`].value = order;
  form.elements[`turn-${key}`].value = plan.turns[key];
  form.elements[`out-${key}`].checked = out;
  tile.querySelector("img").className = `turned-${plan.turns[key]}`;
  for (const name of ["left", "right", "turn", "out"]) tile.querySelector(`[data-do="${name}"]`).hidden = out;
  tile.querySelector('[data-do="begin"]').hidden = out || order === 1;
  tile.querySelector('[data-do="back"]').hidden = !out;
}

function refocus(focused) {
  if (!focused || focused === document.body || !form.contains(focused)) return;
  const target = focused.checkVisibility() ? focused : focused.closest("[data-page]");
  target?.focus();
}

/* What was not saved outlives a lost session or a closed page, as long as the entries stand as they did. */
const draftKey = `second-reader.split:${form.dataset.person}:${form.action}`;
const standing = JSON.stringify([Object.keys(live).sort(), [...tiles.keys()].sort()]);

function keep() {
  if (past.length) sessionStorage.setItem(draftKey, JSON.stringify({ standing, plan }));
  else sessionStorage.removeItem(draftKey);
}

function bringBack() {
  const draft = JSON.parse(sessionStorage.getItem(draftKey) ?? "null");
  if (draft?.standing !== standing || JSON.stringify(draft.plan) === JSON.stringify(plan)) return;
  past.push(copy(plan));
  plan = draft.plan;
  say(texts.draft, {});
}

let timer;
let asked;

/** Have the server say what saving would do: it says the same where scripts are off. */
function look() {
  window.clearTimeout(timer);
  timer = window.setTimeout(ask, PREVIEW_MS);
}

async function ask() {
  asked?.abort();
  asked = new AbortController();
  const body = new URLSearchParams(new FormData(form));
  body.set("do", "preview");
  try {
    const headers = { Accept: "application/json" };
    const response = await fetch(form.action, { method: "POST", body, headers, signal: asked.signal });
    const answer = await response.json();
    preview.textContent = response.ok ? answer.preview : answer.error.help;
  } catch (error) {
    if (error.name !== "AbortError") preview.textContent = texts.away;
  }
}

form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (!button) return;
  const tile = button.closest("[data-page]");
  const key = tile?.dataset.page ?? keysIn(button.closest("[data-entry]"))[0];
  act(button.dataset.do, key);
  if (!tile) tiles.get(key).focus();
});
form.querySelector("[data-undo]").addEventListener("click", () => travel(past, future));
form.querySelector("[data-redo]").addEventListener("click", () => travel(future, past));

function neighbour(tile, by) {
  const all = [...form.querySelectorAll("[data-page]")];
  return all[all.indexOf(tile) + by];
}

const letters = { n: "begin", m: "join", r: "turn" };

form.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    const key = event.key.toLowerCase();
    if (key === "z" || key === "y") {
      if (key === "y" || event.shiftKey) travel(future, past);
      else travel(past, future);
      event.preventDefault();
    }
    return;
  }
  const tile = event.target.closest("[data-page]");
  if (!tile || event.altKey || event.isComposing || event.target.matches("input, select")) return;
  if (onTile(tile, event)) event.preventDefault();
});

function onTile(tile, event) {
  const key = tile.dataset.page;
  const out = plan.out.includes(key);
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by && event.shiftKey) act(by < 0 ? "left" : "right", key);
  else if (by) neighbour(tile, by)?.focus();
  else if (event.key === "Delete" || event.key.toLowerCase() === "x") act(out ? "back" : "out", key);
  else if (letters[event.key.toLowerCase()] && !out) act(letters[event.key.toLowerCase()], key);
  else return false;
  return true;
}

/* Dragging: a page before or behind another, into an entry, out, or to an entry of its own. */
let dragged = null;

function unmark() {
  for (const marked of form.querySelectorAll(".before, .after, .over")) marked.classList.remove("before", "after", "over");
}

function isBefore(tile, event) {
  const box = tile.getBoundingClientRect();
  return event.clientX < box.left + box.width / 2;
}

form.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("[data-page]") ?? null;
  if (!dragged) return;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", dragged.dataset.page);
  dragged.classList.add("dragged");
});
form.addEventListener("dragend", () => {
  dragged?.classList.remove("dragged");
  dragged = null;
  unmark();
});
form.addEventListener("dragover", (event) => {
  const zone = event.target.closest("[data-entry], [data-tray], [data-new]");
  if (!dragged || !zone) return;
  event.preventDefault();
  unmark();
  const tile = event.target.closest("[data-entry] [data-page]");
  if (tile && tile !== dragged) tile.classList.add(isBefore(tile, event) ? "before" : "after");
  else if (!tile) zone.classList.add("over");
});
form.addEventListener("drop", (event) => {
  const zone = event.target.closest("[data-entry], [data-tray], [data-new]");
  if (!dragged || !zone) return;
  event.preventDefault();
  const key = dragged.dataset.page;
  const tile = event.target.closest("[data-entry] [data-page]");
  if (tile !== dragged) change(() => drop(key, zone, tile, tile && isBefore(tile, event)));
});

function drop(key, zone, tile, before) {
  const entry = zone.matches("[data-entry]") ? plan.entries[[...place.children].indexOf(zone)] : null;
  if (zone === tray) {
    leaveOut(key);
  } else if (zone === fresh) {
    take(key);
    plan.entries.push([key]);
  } else if (tile) {
    const beside = tile.dataset.page;
    take(key);
    const pages = plan.entries[entryOf(beside)];
    pages.splice(pages.indexOf(beside) + (before ? 0 : 1), 0, key);
  } else {
    const first = entry.find((other) => other !== key);
    if (!first) return false;
    take(key);
    plan.entries[entryOf(first)].push(key);
  }
}

form.addEventListener("submit", () => {
  saving = true;
});
window.addEventListener("beforeunload", (event) => {
  if (past.length && !saving) event.preventDefault();
});
window.addEventListener("pageshow", () => {
  saving = false;
});

form.classList.add("enhanced");
for (const tile of tiles.values()) {
  tile.tabIndex = 0;
  tile.draggable = true;
  tile.setAttribute("aria-label", tile.dataset.name);
  tile.querySelector("[data-tools]").hidden = false;
}
for (const part of form.querySelectorAll("[data-undo], [data-redo], [data-new], [data-key-help]")) part.hidden = false;
bringBack();
show();
