/** Correct an essay line by line without leaving the keyboard. Without this script the same form works by its buttons. */
const PREFIX = "second-reader.draft:";

const form = document.querySelector("[data-essay]");
const list = form.querySelector("[data-lines]");
const counts = form.querySelector("[data-counts]");
const key = PREFIX + form.dataset.draft;

const inputs = () => [...list.querySelectorAll("[data-line]")];
const texts = () => inputs().map((input) => input.value);

function count() {
  const text = texts().join("\n").trim();
  // As the server counts them: runs between spaces that hold a letter or a digit.
  const words = text.split(/\s+/u).filter((run) => /[\p{L}\p{N}]/u.test(run)).length;
  const characters = [...text].length;
  const { minWords, maxWords = Infinity, maxCharacters } = counts.dataset;
  counts.querySelector("[data-words]").textContent = String(words);
  counts.querySelector("[data-characters]").textContent = String(characters);
  form.querySelector('[data-limit="short"]').hidden = words >= Number(minWords);
  form.querySelector('[data-limit="long"]').hidden = words <= Number(maxWords) && characters <= Number(maxCharacters);
}

/** Lines are numbered as they stand. */
function number() {
  inputs().forEach((input, index) => {
    const name = (pattern) => pattern.replace("{number}", String(index + 1));
    const line = input.closest(".line");
    input.setAttribute("aria-label", name(form.dataset.lineName));
    for (const [button, pattern] of [["add", form.dataset.addName], ["remove", form.dataset.removeName]]) {
      const control = line.querySelector(`[name="${button}"]`);
      control.value = String(index);
      control.setAttribute("aria-label", name(pattern));
    }
  });
}

function emptyLine(text = "") {
  const line = list.querySelector(".line").cloneNode(true);
  line.querySelector(".line-picture")?.remove();
  line.removeAttribute("id");
  delete line.dataset.field;
  line.classList.remove("lit");
  line.querySelector("[data-line]").value = text;
  return line;
}

function changed() {
  number();
  count();
  keep();
}

function add(line) {
  const added = emptyLine();
  line.after(added);
  added.querySelector("[data-line]").focus();
  changed();
}

function remove(line) {
  const neighbour = line.previousElementSibling ?? line.nextElementSibling;
  const input = line.querySelector("[data-line]");
  if (!neighbour) input.value = "";
  else line.remove();
  (neighbour?.querySelector("[data-line]") ?? input).focus();
  changed();
}

function goTo(input, by) {
  const all = inputs();
  const next = all[all.indexOf(input) + by];
  if (next) next.focus();
  else if (by > 0) form.querySelector('[name="save"]').focus();
  return next;
}

/** In a line that wraps, the arrows move within it first. */
function atEdge(input, by) {
  const oneRow = input.scrollHeight < 2 * parseFloat(getComputedStyle(input).lineHeight) + 8;
  return oneRow || input.selectionStart === (by > 0 ? input.value.length : 0);
}

const plain = (event) => !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;

list.addEventListener("keydown", (event) => {
  const input = event.target;
  if (!input.matches("[data-line]") || event.isComposing) return;
  const line = input.closest(".line");
  if (event.key === "Enter") {
    event.preventDefault();
    if (event.altKey) add(line);
    else if (event.ctrlKey || event.metaKey) form.requestSubmit(form.querySelector('[name="save"]'));
    else goTo(input, event.shiftKey ? -1 : 1);
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && plain(event)) {
    const by = event.key === "ArrowDown" ? 1 : -1;
    if (!atEdge(input, by)) return;
    event.preventDefault();
    goTo(input, by);
  } else if (event.key === "Backspace" && input.value === "" && plain(event)) {
    event.preventDefault();
    remove(line);
  }
});

list.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  event.preventDefault();
  if (button.name === "add") add(button.closest(".line"));
  else remove(button.closest(".line"));
});

list.addEventListener("input", () => {
  count();
  keep();
});

/* What is typed survives a closed tab and a session that ended. */

const untouched = JSON.stringify(texts());

function keep() {
  const typed = JSON.stringify(texts());
  try {
    if (typed === untouched) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ at: Date.now(), lines: texts() }));
  } catch {
    // Full or switched off: the text still stands in the form.
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(key))?.lines;
  } catch {
    return null;
  }
}

function fill(lines) {
  const rows = [...list.querySelectorAll(".line")];
  if (lines.length === rows.length) lines.forEach((text, index) => (inputs()[index].value = text));
  else list.replaceChildren(...lines.map((text) => emptyLine(text)));
  number();
  count();
}

const draft = kept();
const back = form.querySelector("[data-draft-back]");
// After a refusal the server gives back what was typed, which is newer.
if (Array.isArray(draft) && draft.length && JSON.stringify(draft) !== untouched && !form.querySelector('[role="alert"]')) {
  fill(draft);
  back.hidden = false;
}
back.querySelector("[data-draft-discard]").addEventListener("click", () => {
  localStorage.removeItem(key);
  location.reload();
});
count();
