/** Move through a queue with j and k. */
const links = [...document.querySelectorAll("[data-list] .row-link")];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  const step = { j: 1, k: -1 }[event.key];
  if (!step || links.length === 0) return;
  const at = links.indexOf(document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, at + step))].focus();
  event.preventDefault();
});
