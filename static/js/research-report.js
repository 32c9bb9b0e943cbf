/**
 * A report beside its sources: a marker opens its source with the quotation lit. While a marker or the panel has the
 * focus, j and k go to the next and the previous citation and Escape goes back to the text.
 */
import { say } from "./sentences.js";

const reading = document.querySelector("[data-reading]");
const panel = reading.querySelector("[data-panel]");
const body = panel.querySelector("[data-panel-body]");
const tools = panel.querySelector("[data-panel-tools]");
const says = panel.querySelector("[data-panel-says]");
const markers = [...reading.querySelectorAll("[data-report] a.cite")];
const empty = body.innerHTML;
const found = new Map();
let current = null;

function addressOf(marker) {
  const address = new URL(reading.dataset.panelUrl.replace("KEY", encodeURIComponent(marker.dataset.key)), location.href);
  for (const claim of marker.dataset.claim?.split(" ") ?? []) address.searchParams.append("claim", claim);
  return address.href;
}

async function fetched(address) {
  if (!found.has(address)) {
    const response = await fetch(address);
    if (!response.ok || response.redirected) throw new Error(String(response.status));
    found.set(address, await response.text());
  }
  return found.get(address);
}

async function open(marker, { intoPanel = false } = {}) {
  current?.removeAttribute("aria-current");
  current = marker;
  marker.setAttribute("aria-current", "true");
  reading.classList.add("with-source");
  tools.hidden = false;
  marker.scrollIntoView({ block: "nearest" });
  says.textContent = say("Looking it up…");
  try {
    const html = await fetched(addressOf(marker));
    if (current !== marker) return;
    body.innerHTML = html;
    panel.scrollTop = 0;
    says.textContent = say("Citation {place} of {count}", { place: markers.indexOf(marker) + 1, count: markers.length });
    light();
    if (intoPanel) panel.querySelector("[data-source-title]").focus({ preventScroll: true });
  } catch {
    if (current !== marker) return;
    body.innerHTML = "";
    const problem = document.createElement("p");
    problem.className = "field-error";
    problem.textContent = say("The source could not be shown. Try again.");
    body.append(problem);
    says.textContent = problem.textContent;
  }
}

/** The passage scrolls within its own frame until the quotation stands in its middle. */
function light() {
  const passage = body.querySelector("[data-passage]");
  const lit = passage?.querySelector("mark");
  if (!lit) return;
  const middle = lit.getBoundingClientRect().top - passage.getBoundingClientRect().top - passage.clientHeight / 3;
  passage.scrollTop += middle;
}

function shut() {
  const marker = current;
  current?.removeAttribute("aria-current");
  current = null;
  reading.classList.remove("with-source");
  body.innerHTML = empty;
  tools.hidden = true;
  says.textContent = "";
  marker?.focus();
}

function step(by) {
  if (!markers.length) return;
  const at = current ? markers.indexOf(current) + by : by > 0 ? 0 : markers.length - 1;
  const marker = markers[(at + markers.length) % markers.length];
  const intoPanel = body.contains(document.activeElement);
  if (!panel.contains(document.activeElement)) marker.focus({ preventScroll: true });
  open(marker, { intoPanel });
}

reading.querySelector("[data-report]").addEventListener("click", (event) => {
  const marker = event.target.closest("a.cite");
  if (!marker || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  // A press of Enter has no click count: its person reads on in the panel.
  open(marker, { intoPanel: event.detail === 0 });
});

panel.addEventListener("click", (event) => {
  const button = event.target.closest("[data-step], [data-close]");
  if (!button) return;
  if (button.dataset.step) step(Number(button.dataset.step));
  else shut();
});

reading.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!event.target.closest("a.cite, [data-panel]")) return;
  const act = { j: () => step(1), k: () => step(-1), Escape: current ? shut : undefined }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
