/** Signing out takes along what the person has typed into this browser and not sent. */
const OWN = "second-reader.";
const KEPT = "second-reader.keys";

document.querySelector("[data-sign-out]")?.addEventListener("submit", () => {
  for (const store of [localStorage, sessionStorage]) {
    for (const key of Object.keys(store)) {
      if (key.startsWith(OWN) && !key.startsWith(KEPT)) store.removeItem(key);
    }
  }
});
