/** What a person typed or marked and has not sent, kept in this browser by person, item and version. */
const PREFIX = "second-reader.draft:";
const KEPT_DAYS = 14;
/** The one that was sent last, in case the decision is undone. */
const SENT = PREFIX + "sent";

const isKept = (element) => element.name && element.type !== "hidden" && element.tagName !== "BUTTON";

export class Draft {
  /**
   * @param {HTMLFormElement} form
   * @param {string} of whose it is, of what, of which version
   */
  constructor(form, of) {
    this.form = form;
    this.key = PREFIX + of;
    /** The item whatever its version: undoing a decision makes a new one. */
    this.item = of.slice(0, of.lastIndexOf(":"));
    this.untouched = valuesOf(form);
    form.addEventListener("input", () => this.keep());
    form.addEventListener("change", () => this.keep());
  }

  /**
   * Bring back what was typed; whether there was anything.
   * @param {boolean} undone whether the decision on this item was just undone: what was sent counts as typed
   */
  restore(undone = false) {
    const sent = undone ? read(SENT) : null;
    const kept = read(this.key) ?? (sent?.item === this.item ? sent : null);
    if (!kept || same(kept.values, this.untouched)) return false;
    fill(this.form, kept.values);
    this.keep();
    return true;
  }

  keep() {
    const values = valuesOf(this.form);
    if (same(values, this.untouched)) this.forget();
    else write(this.key, { at: Date.now(), values });
  }

  discard() {
    fill(this.form, this.untouched);
    this.forget();
    localStorage.removeItem(SENT);
  }

  /**
   * What becomes of what was typed once the page is left: "kept", "nothing" where nothing was typed, else "lost". Signing
   * out in another tab has taken the drafts along; a browser may be full, or keep nothing.
   */
  fate() {
    const values = valuesOf(this.form);
    if (same(values, this.untouched)) return "nothing";
    const kept = read(this.key);
    return kept && same(kept.values, values) ? "kept" : "lost";
  }

  /** What is decided needs no draft, unless the decision is undone. */
  sent() {
    this.forget();
    write(SENT, { at: Date.now(), item: this.item, values: valuesOf(this.form) });
  }

  forget() {
    localStorage.removeItem(this.key);
  }
}

/** Drafts of items that nobody came back to. */
export function dropOldDrafts() {
  const oldest = Date.now() - KEPT_DAYS * 86_400_000;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && !(read(key)?.at > oldest)) localStorage.removeItem(key);
  }
}

function valuesOf(form) {
  const values = {};
  for (const element of form.elements) {
    if (!isKept(element) || (element.type === "radio" && !element.checked)) continue;
    if (element.type === "checkbox") values[`${element.name}:${element.value}`] = String(element.checked);
    else values[element.name] = element.value;
  }
  return values;
}

function fill(form, values) {
  for (const element of form.elements) {
    const name = element.type === "checkbox" ? `${element.name}:${element.value}` : element.name;
    if (!isKept(element) || !(name in values)) continue;
    if (element.type === "checkbox") element.checked = values[name] === "true";
    else if (element.type === "radio") element.checked = element.value === values[element.name];
    else element.value = values[element.name];
  }
}

function same(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or switched off: the text still stands in the form.
  }
}
