/** The next item, fetched and held while this one is read, so that it is there at once. */
import { takeHold, release } from "./holds.js";

/** The item of a page that was parsed or is shown. */
export function itemIn(root) {
  const data = root.querySelector("[data-item]")?.dataset;
  return data && { claimUrl: data.claimUrl, releaseUrl: data.releaseUrl, draft: data.draft };
}

/** The next item's page with its hold, or null where it cannot be had. */
export async function prefetch(url) {
  try {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    if (!response.ok || response.redirected) return null;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const item = itemIn(page);
    const hold = item && (await takeHold(item.claimUrl));
    if (!hold?.mine) return null;
    // In this document its pictures are fetched at once, and shown without a second fetch.
    const main = document.importNode(page.querySelector("main"), true);
    return { url, title: page.title, main, item, hold };
  } catch {
    return null;
  }
}

export function letGo(prefetched) {
  if (prefetched) release(prefetched.item.releaseUrl);
}
