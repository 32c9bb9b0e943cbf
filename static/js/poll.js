/** Follow the changing part of a page: ask for it again, with the ETag, as long as something may change by itself. */
export const frame = document.querySelector("[data-poll]");

export const state = () => frame.querySelector("[data-working]").dataset;

/** `replace` puts the new HTML in its place; `end` is called once nothing changes any more. */
export function follow(replace, end = () => {}, every = 3000) {
  let etag = null;

  async function poll() {
    try {
      const headers = etag ? { "If-None-Match": etag } : {};
      const response = await fetch(frame.dataset.poll, { headers, cache: "no-store" });
      if (response.redirected) return window.location.reload();
      if (response.status === 200) {
        etag = response.headers.get("ETag");
        replace(await response.text());
      }
    } catch {
      // The line is down for a moment: the next round asks again.
    }
    return state().working === "yes" ? schedule() : end();
  }

  const schedule = () => window.setTimeout(poll, every);
  if (frame && state().working === "yes") schedule();
}
