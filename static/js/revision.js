/** The page of a revision: hold it, decide it with one key, keep what was typed. */
import { Hold } from "./holds.js";
import { Draft, dropOldDrafts } from "./drafts.js";
import { useKeys } from "./keys.js";
import { keepNotice, showKeptNotice } from "./notices.js";
import { itemIn } from "./prefetch.js";

const form = document.querySelector("form[data-decide]");
const item = itemIn(document);
const part = (name) => document.querySelector(`main [data-desk-${name}]`);
const deciding = () => [...form.querySelectorAll('button[name="decide"]')];
let hold = null;
let draft = null;

/** Open the text, with the focus in its first input. */
function edit() {
  const text = form?.querySelector("[data-edit]");
  if (!text) return false;
  text.open = true;
  text.querySelector("textarea")?.focus();
  return undefined;
}

function showHold({ mine, free, decided, sentence }) {
  const banner = part("claim");
  if (decided) {
    banner.hidden = true;
    return refused(409, { message: `${sentence}.` });
  }
  banner.hidden = mine;
  banner.firstElementChild.textContent = sentence;
  banner.querySelector("button").hidden = !free;
  for (const button of deciding()) button.disabled = !mine;
}

async function decide(event) {
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  for (const button of deciding()) button.disabled = true;
  part("problem").hidden = true;
  hold.interrupt();
  const { ok, status, answer } = await send(body);
  if (!ok) return refused(status, answer?.error);
  draft.forget();
  hold.stop();
  keepNotice(answer.notice);
  return location.assign(answer.next);
}

async function send(body) {
  try {
    const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    return { ok: response.ok, status: response.status, answer: await response.json() };
  } catch {
    return { ok: false };
  }
}

/** Say why; all that was typed stays. What somebody else decided cannot be decided here any more. */
function refused(status, error) {
  const box = part("problem");
  const signedOut = status === 401 || error?.code === "form_expired";
  const lost = status === 409;
  const said = error && !signedOut ? `${error.message} ${box.dataset.kept}` : null;
  box.querySelector("p").textContent = said ?? (signedOut ? box.getAttribute(`data-ended-${draft.fate()}`) : box.dataset.away);
  for (const link of box.querySelectorAll('[data-on="lost"]')) link.hidden = !lost;
  box.querySelector('[data-on="signed-out"]').hidden = !signedOut;
  box.hidden = false;
  box.focus();
  if (lost) hold.leave();
  else hold.start();
  for (const button of deciding()) button.disabled = lost || !hold.mine;
}

function begin() {
  form.addEventListener("submit", decide);
  draft = new Draft(form, item.draft);
  if (draft.restore()) {
    part("draft").hidden = false;
    form.querySelector("[data-edit]").open = true;
  }
  hold = new Hold(item, showHold);
  hold.start();
  document.querySelector('[data-act="edit"]').hidden = false;
  window.addEventListener("pagehide", () => hold.leave());
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-desk-discard]")) {
      draft.discard();
      part("draft").hidden = true;
    }
    if (event.target.closest("[data-desk-take-over]")) {
      event.preventDefault();
      hold.start();
    }
  });
}

if (form && item?.claimUrl) begin();
useKeys({ edit });
document.querySelector('[data-act="edit"]')?.addEventListener("click", edit);
dropOldDrafts();
showKeptNotice();
