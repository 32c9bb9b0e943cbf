/** The keys of the desk: hints beside the controls, the dialog that explains and changes them, and the listening. */
import { Bindings } from "./bindings.js";

const isTyping = (target) => target.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');

/** The key without what Alt makes of it: on some systems Alt with a letter types another character. */
function plain(event) {
  if (!event.altKey || /^[a-z0-9?]$/i.test(event.key)) return event.key;
  if (/^Key[A-Z]$/.test(event.code)) return event.code.slice(3).toLowerCase();
  if (/^Digit\d$/.test(event.code)) return event.code.slice(5);
  return event.key;
}

/**
 * Listen, once a page.
 * @param {Record<string, () => void>} actions what a key does; others click the `[data-act]` of their name
 * @param {(number: number) => void} onDigit what 1…9 do
 */
export function useKeys(actions = {}, onDigit = undefined) {
  const dialog = document.querySelector("dialog[data-keys]");
  const bindings = new Bindings(dialog);
  const help = () => {
    dialog.showModal();
    // The button of closing has the focus, and stands below what may not fit.
    dialog.scrollTop = 0;
  };
  const all = { help, ...actions };

  const press = (key) => {
    if (onDigit && /^[1-9]$/.test(key)) return onDigit(Number(key));
    const action = bindings.actionOf(key);
    if (!action) return false;
    if (all[action]) return all[action]();
    const target = document.querySelector(`main [data-act="${action}"]:not([disabled])`);
    target?.click();
    return Boolean(target);
  };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing || event.repeat || document.querySelector("dialog[open]")) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") leave(event.target);
      if (!event.altKey) return;
    }
    if (press(plain(event)) !== false) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest('[data-act="help"]')) help();
  });
  makeChangeable(dialog, bindings);
  showKeys(bindings);
  return { refresh: () => showKeys(bindings) };
}

/** Leave an input or a drop-down list: the keys are about its row then, where it stands in one. */
function leave(input) {
  input.blur();
  input.closest("[data-field][tabindex]")?.focus({ preventScroll: true });
}

/** Write each key beside its control and into the dialog. */
function showKeys(bindings) {
  for (const button of bindings.buttons) {
    button.querySelector("kbd").textContent = bindings.keyOf(button.dataset.binding);
  }
  for (const control of document.querySelectorAll("main [data-act]")) {
    const key = bindings.keyOf(control.dataset.act);
    if (!key) continue;
    control.setAttribute("aria-keyshortcuts", key);
    control.hidden = ["help", "doubtful"].includes(control.dataset.act) ? false : control.hidden;
    const hint = control.querySelector(".key-hint") ?? control.appendChild(document.createElement("span"));
    hint.className = "key-hint";
    hint.setAttribute("aria-hidden", "true");
    hint.textContent = key;
  }
}

/** A press on a key's button, then the new key. Escape keeps the old one. */
function makeChangeable(dialog, bindings) {
  const says = dialog.querySelector("[data-keys-says]");
  const label = (action) => dialog.querySelector(`#label-${action}`).textContent;
  let waiting = null;

  const choose = (button) => {
    waiting?.removeAttribute("aria-pressed");
    waiting = button;
    waiting?.setAttribute("aria-pressed", "true");
    if (button) says.textContent = says.dataset.press.replace("{action}", label(button.dataset.binding));
  };
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("[data-binding]");
    if (button) choose(button);
    if (event.target.closest("[data-keys-reset]")) {
      bindings.reset();
      choose(null);
      says.textContent = says.dataset.reset;
      showKeys(bindings);
    }
  });
  dialog.addEventListener("keydown", (event) => {
    if (!waiting || ["Tab", "Shift", "Control", "Alt", "Meta", "AltGraph"].includes(event.key)) return;
    event.preventDefault();
    const action = waiting.dataset.binding;
    choose(null);
    if (event.key === "Escape") {
      says.textContent = "";
      return;
    }
    const refused = bindings.bind(action, event.key);
    const sentence = !refused ? says.dataset.changed : refused.holder ? says.dataset.taken : says.dataset.unusable;
    says.textContent = sentence
      .replace("{key}", event.key)
      .replace("{action}", label(refused?.holder ?? action));
    showKeys(bindings);
  });
  dialog.addEventListener("close", () => {
    choose(null);
    says.textContent = "";
  });
}
