/** The menu of the top bar closes when something else is used, and by Escape. Without this it stays until its name is pressed. */
const menu = document.querySelector("details[data-menu]");
const name = menu?.querySelector("summary");

document.addEventListener("click", (event) => {
  if (!menu?.contains(event.target)) menu?.removeAttribute("open");
});
menu?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  event.stopPropagation();
  menu.removeAttribute("open");
  name.focus();
});
menu?.addEventListener("focusout", (event) => {
  if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.removeAttribute("open");
});
