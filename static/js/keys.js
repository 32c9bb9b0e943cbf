/** One key decides and shows the next item. While an input has the cursor, the same letters work with Alt. */
const form = document.querySelector("form[data-decide]");
const help = document.querySelector("dialog[data-help]");
const fields = form ? [...form.querySelectorAll("fieldset[data-field]")] : [];

const isTyping = (target) => target.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');

/** The letter of the key, also where Alt or another layout makes another character of it. */
function letter(event) {
  if (event.altKey && /^Key[A-Z]$/.test(event.code)) return event.code.slice(3).toLowerCase();
  if (event.altKey && /^Digit\d$/.test(event.code)) return event.code.slice(5);
  return event.key;
}

function fieldAtHand() {
  return document.activeElement?.closest("fieldset[data-field]") ?? fields[0];
}

function edit() {
  const field = fieldAtHand();
  const radio = field?.querySelector('input[value="edit"]');
  if (!radio) return;
  radio.checked = true;
  const input = field.querySelector(".typed-value :is(input, textarea, select)");
  input.focus();
  input.select?.();
}

function goTo(number) {
  const field = fields[number - 1];
  field?.querySelector("input:checked")?.focus();
  field?.scrollIntoView({ block: "center" });
}

const actions = {
  e: edit,
  "?": () => help.showModal(),
};

function press(key) {
  if (actions[key]) actions[key]();
  else if (/^[1-9]$/.test(key)) goTo(Number(key));
  else {
    const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!target || target.disabled) return false;
    target.click();
  }
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.isComposing || event.repeat || help?.open) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") event.target.blur();
    if (!event.altKey) return;
  }
  if (press(letter(event))) event.preventDefault();
});

// A second press while the first is on its way must not decide the next item unseen.
form?.addEventListener("submit", () => {
  window.setTimeout(() => {
    for (const button of form.querySelectorAll("button")) button.disabled = true;
  });
});
window.addEventListener("pageshow", () => {
  for (const button of form?.querySelectorAll("button") ?? []) button.disabled = false;
});

for (const element of document.querySelectorAll("[data-key]")) {
  element.setAttribute("aria-keyshortcuts", element.dataset.key);
  const hint = document.createElement("span");
  hint.className = "key-hint";
  hint.setAttribute("aria-hidden", "true");
  hint.textContent = element.dataset.key;
  element.append(hint);
}
const opener = document.querySelector("[data-help-open]");
if (opener) {
  opener.hidden = false;
  opener.addEventListener("click", () => help.showModal());
}
