/** The keys of the page with doubtful words: each presses the button that names it. */
const form = document.querySelector("[data-word-form]");

document.addEventListener("keydown", (event) => {
  if (!form || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches("input, textarea, select")) return;
  const button = [...form.querySelectorAll("[aria-keyshortcuts]")].find((one) => one.getAttribute("aria-keyshortcuts") === event.key);
  if (!button) return;
  event.preventDefault();
  button.click();
});
