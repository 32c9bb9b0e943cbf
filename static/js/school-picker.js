/** Choose the school of an entry from the season's schools, and teach the list what it does not know yet. */
import { csrfToken } from "./csrf.js";

/** Milliseconds without a key before the server is asked. */
const PAUSE = 120;

class SchoolPicker {
  /** @param {HTMLElement} root what `templates/schools/_picker.html` makes */
  constructor(root) {
    this.root = root;
    this.input = document.getElementById(root.dataset.schoolPicker);
    this.field = root.closest("[data-field]") ?? root.parentElement;
    this.options = root.querySelector('[role="listbox"]');
    this.adding = root.querySelector("[data-school-add]");
    this.aliasing = root.querySelector("[data-school-alias]");
    this.says = root.querySelector("[data-school-says]");
    this.asked = 0;
    this.timer = 0;
    this.at = -1;
    root.hidden = false;
    this.prepareInput();
    this.adding.addEventListener("click", () => this.teach(this.adding.dataset.schoolAdd, { name: this.text }));
    this.aliasing.addEventListener("click", () => {
      const body = { alias: root.dataset.asRead, school: this.text };
      this.teach(this.aliasing.dataset.schoolAlias, body);
    });
    const button = this.field.querySelector("[data-school-button]");
    button.hidden = false;
    button.addEventListener("click", () => this.start());
  }

  get text() {
    return this.input.value.trim();
  }

  get isOpen() {
    return !this.options.hidden;
  }

  prepareInput() {
    const about = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.options.id };
    for (const [name, value] of Object.entries(about)) this.input.setAttribute(name, value);
    this.input.addEventListener("focus", () => this.ask((found) => !found.listed));
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.input.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(() => this.text !== ""), PAUSE);
    });
    this.options.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // The input keeps the focus.
      const option = event.target.closest('[role="option"]');
      if (option) this.pick(option);
    });
  }

  /** From a key or the button: type here, with the list open. */
  start() {
    const edit = this.field.querySelector('input[type="radio"][value="edit"]');
    if (edit && !edit.checked) {
      edit.checked = true;
      edit.dispatchEvent(new Event("change", { bubbles: true }));
    }
    this.field.scrollIntoView({ block: "center" });
    this.input.focus({ preventScroll: true });
    this.input.select();
    this.ask(() => true);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (this.isOpen) this.move(event.key === "ArrowDown" ? 1 : -1);
      else this.ask(() => true);
    } else if (event.key === "Enter" && this.isOpen && this.at >= 0) {
      event.preventDefault();
      this.pick(this.options.children[this.at]);
    } else if (event.key === "Escape" && this.isOpen) {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  }

  move(step) {
    const many = this.options.children.length;
    const from = this.at < 0 && step < 0 ? many : this.at;
    this.choose((from + step + many) % many);
  }

  choose(at) {
    this.options.children[this.at]?.setAttribute("aria-selected", "false");
    this.at = at;
    const option = this.options.children[at];
    if (!option) return this.input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  /** Take a school: the input says its name, as if it had been typed. */
  pick(option) {
    this.close();
    this.input.value = option.dataset.name;
    for (const kind of ["input", "change"]) this.input.dispatchEvent(new Event(kind, { bubbles: true }));
    clearTimeout(this.timer);
    this.ask(() => false);
  }

  /** Ask which schools the text may mean; show them where `opens` says so. */
  async ask(opens) {
    clearTimeout(this.timer);
    const asked = ++this.asked;
    const found = await likely(this.root.dataset.likelyUrl, this.text);
    if (asked !== this.asked) return;
    if (!found) return this.say(this.says.dataset.away);
    this.fill(found.schools, found.nearest);
    if (document.activeElement === this.input && opens(found)) this.open();
    else this.close();
    // What is only misspelled takes one key.
    if (this.isOpen && found.nearest) this.choose(0);
    await this.offer(found, asked);
  }

  /** Offer to teach what the list does not know. */
  async offer(found, asked) {
    const { asRead } = this.root.dataset;
    const read = asRead && found.listed && asRead !== this.text ? await likely(this.root.dataset.likelyUrl, asRead) : null;
    if (asked !== this.asked) return;
    const { add, alias, none } = this.says.dataset;
    this.adding.hidden = Boolean(found.listed) || found.text === "";
    this.adding.textContent = add.replace("{text}", found.text);
    this.aliasing.hidden = !read || Boolean(read.listed);
    this.aliasing.textContent = alias.replace("{text}", asRead).replace("{name}", this.text);
    this.say(found.text !== "" && found.schools.length === 0 ? none : "");
  }

  fill(schools, nearest) {
    const options = schools.map(({ id, name, city }, index) => {
      const option = document.createElement("li");
      Object.assign(option, { id: `${this.options.id}-${index}`, textContent: name });
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.name = name;
      const about = [city ?? (id ? "" : this.says.dataset.taught), name === nearest ? this.says.dataset.nearest : ""].filter(Boolean).join(" · ");
      if (about) option.append(Object.assign(document.createElement("small"), { textContent: about }));
      return option;
    });
    this.options.replaceChildren(...options);
    this.choose(-1);
  }

  open() {
    this.options.hidden = this.options.children.length === 0;
    this.input.setAttribute("aria-expanded", String(this.isOpen));
  }

  close() {
    this.options.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.choose(-1);
  }

  /** Send what the list is to learn, and say what came of it. */
  async teach(url, values) {
    const answer = await send(url, values);
    const sentence = answer?.sentence ?? answer?.error?.message ?? this.says.dataset.away;
    this.input.focus({ preventScroll: true });
    if (answer?.sentence) this.input.value = answer.name;
    await this.ask(() => false);
    this.say(sentence);
  }

  say(sentence) {
    this.says.textContent = sentence;
  }
}

async function likely(url, text) {
  try {
    const response = await fetch(`${url}?${new URLSearchParams({ text })}`, { headers: { Accept: "application/json" } });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

async function send(url, values) {
  try {
    const headers = { Accept: "application/json", "X-CSRFToken": csrfToken() };
    return await (await fetch(url, { method: "POST", body: new URLSearchParams(values), headers })).json();
  } catch {
    return null;
  }
}

const attached = new WeakSet();

function attachShown() {
  for (const root of document.querySelectorAll("[data-school-picker]")) {
    if (attached.has(root)) continue;
    attached.add(root);
    new SchoolPicker(root);
  }
}

// The desk puts the next item in the place of the one that was decided.
document.addEventListener("desk:shown", attachShown);
attachShown();
