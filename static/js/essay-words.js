/** The keys of the page with doubtful words: each presses the button that names it. */
const shortcuts = "[data-word-form] [aria-keyshortcuts]";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches("input, textarea, select")) return;
  const button = [...document.querySelectorAll(shortcuts)].find((one) => one.getAttribute("aria-keyshortcuts") === event.key);
  if (!button) return;
  event.preventDefault();
  button.click();
});
