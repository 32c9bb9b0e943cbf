/**
 * What is ticked for an action on many: all or none at once, how many, and the action only where there is something.
 * `data-bulk` of the form names the boxes, "item" unless it says otherwise; a box may say that its item stays open; a
 * choice `of` may mean all of a filter.
 */
const form = document.querySelector("form[data-bulk]");
const boxes = form ? [...form.elements].filter((element) => element.name === (form.dataset.bulk || "item") && !element.disabled) : [];
const all = form?.querySelector("[data-bulk-all]");
const count = form?.querySelector("[data-bulk-count]");

function tell() {
  const checked = boxes.filter((box) => box.checked);
  const marked = checked.length;
  const open = checked.filter((box) => "leftOpen" in box.dataset).length;
  const whole = form.elements.of?.value === "filter";
  const said = [count.dataset.sentence.replace("{marked}", marked).replace("{all}", boxes.length)];
  if (open) said.push(count.dataset.openSentence.replace("{open}", open));
  count.textContent = said.join(", ");
  all.checked = marked === boxes.length;
  all.indeterminate = marked > 0 && marked < boxes.length;
  for (const button of form.querySelectorAll('button[name="action"], [data-bulk-act]')) {
    button.disabled = marked === 0 && !whole;
  }
}

/** Whoever ticks an entry means the ticked ones. */
function meanTicked() {
  const ticked = form.querySelector('input[name="of"][value="ticked"]');
  if (ticked) ticked.checked = true;
}

if (form) {
  all.closest("label").hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    meanTicked();
    tell();
  });
  // The boxes stand in the table, outside of the form that they belong to.
  for (const box of boxes) {
    box.addEventListener("change", () => {
      meanTicked();
      tell();
    });
  }
  form.addEventListener("change", tell);
  tell();
}
