/** Move through a queue by keys; Enter opens the item at hand, as it does for every link. */
import { dropOldDrafts } from "./drafts.js";
import { useKeys } from "./keys.js";
import { showKeptNotice } from "./notices.js";

function move(step) {
  const links = [...document.querySelectorAll("[data-list] .row-link")];
  const at = links.findIndex((link) => link.closest("li, tr")?.contains(document.activeElement));
  links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
}

useKeys({ next: () => move(1), previous: () => move(-1) });
dropOldDrafts();
showKeptNotice();
