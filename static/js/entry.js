/** The page of one entry: a value that is opened is ready to be typed, and says at once what does not fit. */
import { watchValues } from "./checks.js";

for (const form of document.querySelectorAll("form[data-edit]")) {
  watchValues(form);
  const holder = form.closest("details");
  holder.addEventListener("toggle", () => {
    if (holder.open) form.querySelector(':is(textarea, select, input:not([type="hidden"]))').focus();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    holder.open = false;
    holder.querySelector("summary").focus();
  });
}
