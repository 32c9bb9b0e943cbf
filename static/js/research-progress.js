/** Follow a report; load its page again when it is done, fails or its plan waits. */
import { follow, frame } from "./poll.js";

/** The state in the heading, outside of the part that is replaced. */
const standing = document.querySelector("[data-standing]");

/** What a person opened or shut stays so, and the focus stays where it was. */
function replace(html) {
  const open = new Map([...frame.querySelectorAll("details[id]")].map((block) => [block.id, block.open]));
  const focused = document.activeElement;
  const href = frame.contains(focused) ? focused.getAttribute("href") : null;
  const holder = frame.contains(focused) ? focused.closest("details[id]")?.id : null;
  frame.innerHTML = html;
  standing.innerHTML = frame.querySelector("[data-pill]").innerHTML;
  for (const [id, was] of open) {
    const block = document.getElementById(id);
    if (block) block.open = was;
  }
  if (href) frame.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus();
  else if (holder) document.getElementById(holder)?.querySelector("summary").focus();
}

follow(replace, () => window.location.reload());
