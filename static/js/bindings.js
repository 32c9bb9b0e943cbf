/** Which key does what. The dialog of keys is the table; what a person changed is kept in this browser. */
const STORE = "second-reader.keys";
/** A single character that types nothing else here: digits belong to the fields, the rest moves the focus. */
const BINDABLE = /^[^\s\d]$/u;

export class Bindings {
  /** @param {HTMLDialogElement} dialog with one `[data-binding]` an action, its key in `data-default` */
  constructor(dialog) {
    this.buttons = [...dialog.querySelectorAll("[data-binding]")];
    this.keys = new Map(this.buttons.map((button) => [button.dataset.binding, button.dataset.default]));
    for (const [action, key] of Object.entries(stored())) {
      if (this.keys.has(action) && BINDABLE.test(key)) this.keys.set(action, key);
    }
    if (new Set(this.keys.values()).size < this.keys.size) this.reset();
  }

  keyOf(action) {
    return this.keys.get(action);
  }

  /** The action of a key; capitals do what their small letters do. */
  actionOf(key) {
    for (const wanted of [key, key.toLowerCase()]) {
      for (const [action, bound] of this.keys) if (bound === wanted) return action;
    }
    return undefined;
  }

  /** Bind; "unusable" or the action that has the key already where it is refused, else null. */
  bind(action, key) {
    const wanted = key.length === 1 ? key.toLowerCase() : key;
    if (!BINDABLE.test(wanted)) return { unusable: true };
    const holder = this.actionOf(wanted);
    if (holder && holder !== action) return { holder };
    this.keys.set(action, wanted);
    // A page that knows fewer actions leaves the keys of the others alone.
    store({ ...stored(), ...Object.fromEntries(this.keys) });
    return null;
  }

  reset() {
    for (const button of this.buttons) this.keys.set(button.dataset.binding, button.dataset.default);
    store(null);
  }
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

function store(keys) {
  try {
    if (keys) localStorage.setItem(STORE, JSON.stringify(keys));
    else localStorage.removeItem(STORE);
  } catch {
    // A browser that keeps nothing still has the keys until the page is left.
  }
}
