/** The preview of a bulk decision: all or none at once, how many are marked, and how many of them stay open. */
const form = document.querySelector("form[data-bulk]");
const boxes = form ? [...form.querySelectorAll('input[name="item"]')] : [];
const all = form?.querySelector("[data-bulk-all]");
const count = form?.querySelector("[data-bulk-count]");

function tell() {
  const checked = boxes.filter((box) => box.checked);
  const marked = checked.length;
  const open = checked.filter((box) => "leftOpen" in box.dataset).length;
  const said = [count.dataset.sentence.replace("{marked}", marked).replace("{all}", boxes.length)];
  if (open) said.push(count.dataset.openSentence.replace("{open}", open));
  count.textContent = said.join(", ");
  all.checked = marked === boxes.length;
  all.indeterminate = marked > 0 && marked < boxes.length;
  for (const button of form.querySelectorAll('button[name="action"]')) button.disabled = marked === 0;
}

if (form) {
  all.closest("label").hidden = false;
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    tell();
  });
  form.addEventListener("change", tell);
  tell();
}
