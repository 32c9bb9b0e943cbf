/** Follow a report: ask every three seconds, with the ETag; reload when it is done, fails or its plan waits. */
const POLL_MS = 3000;

const frame = document.querySelector("[data-poll]");
/** The state in the heading, outside of the part that is replaced. */
const standing = document.querySelector("[data-standing]");
let etag = null;

const part = () => frame.querySelector("[data-working]");

async function poll() {
  try {
    const response = await fetch(frame.dataset.poll, {
      headers: etag ? { "If-None-Match": etag } : {},
      cache: "no-store",
    });
    if (response.redirected) return window.location.reload();
    if (response.status === 200) {
      etag = response.headers.get("ETag");
      replace(await response.text());
    }
  } catch {
    // The line is down for a moment: the next round asks again.
  }
  if (part().dataset.working !== "yes") return window.location.reload();
  schedule();
}

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

function schedule() {
  window.setTimeout(poll, POLL_MS);
}

if (frame && part().dataset.working === "yes") schedule();
