/** Follow a batch or another list whose rows change by themselves; a focused link keeps the focus. */
import { follow, frame } from "./poll.js";

follow((html) => {
  const focused = document.activeElement?.getAttribute("href");
  frame.innerHTML = html;
  if (focused) frame.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
});
