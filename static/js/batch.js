/** Follow a batch: ask every three seconds, with the ETag, until nothing can change by itself. */
const POLL_MS = 3000;

const frame = document.querySelector("[data-poll]");
let etag = null;

function working() {
  return frame.querySelector("[data-working]").dataset.working === "yes";
}

async function poll() {
  try {
    const response = await fetch(frame.dataset.poll, {
      headers: etag ? { "If-None-Match": etag } : {},
      cache: "no-store",
    });
    if (response.redirected) {
      window.location.reload();
      return;
    }
    if (response.status === 200) {
      etag = response.headers.get("ETag");
      replace(await response.text());
    }
  } catch {
    // The line is down for a moment: the next round asks again.
  }
  if (working()) schedule();
}

function replace(html) {
  const focused = document.activeElement?.getAttribute("href");
  frame.innerHTML = html;
  if (focused) frame.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

function schedule() {
  window.setTimeout(poll, POLL_MS);
}

if (frame && working()) schedule();
