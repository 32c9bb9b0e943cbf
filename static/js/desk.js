/** The page of one item: decide with one key, see the next at once, lose nothing. */
import { watchValues } from "./checks.js";
import { Hold } from "./holds.js";
import { Draft, dropOldDrafts } from "./drafts.js";
import { useKeys } from "./keys.js";
import { keepNotice, showKeptNotice, showNotice } from "./notices.js";
import { itemIn, letGo, prefetch } from "./prefetch.js";

let hold = null;
let draft = null;
/** The next item, or the promise of it. */
let next = null;
/** Whether the decision that is on its way was taken, once it is known. */
let sending = null;

const main = () => document.querySelector("main");
const form = () => main().querySelector("form[data-decide]");
const part = (name) => main().querySelector(`[data-desk-${name}]`);
const fields = () => [...(form()?.querySelectorAll("[data-field]") ?? [])];
const buttons = () => form()?.querySelectorAll("button") ?? [];

/** Make the item that is shown work. */
function attach(standing = null) {
  const item = itemIn(main());
  const deciding = form();
  for (const [value, act] of [["settle", "approve"], ["reject", "reject"]]) {
    const button = deciding?.querySelector(`button[name="decide"][value="${value}"]`);
    if (button) button.dataset.act ??= act;
  }
  keys.refresh();
  if (!deciding || !item?.claimUrl) return;
  deciding.addEventListener("submit", decide);
  draft = new Draft(deciding, item.draft);
  if (draft.restore()) part("draft").hidden = false;
  watchValues(deciding);
  hold = new Hold(item, showHold);
  hold.start(standing).then(async () => {
    // What is being decided at this moment must not come back as the next.
    await sending;
    const link = main().querySelector('a[data-act="next"]');
    if (link && !next) next = prefetch(link.href);
  });
}

/** Who has the item: the sentence, and which of the buttons work. */
function showHold({ mine, free, sentence }) {
  const banner = part("claim");
  banner.hidden = mine;
  if (banner.firstElementChild.textContent !== sentence) banner.firstElementChild.textContent = sentence;
  banner.querySelector("button").hidden = !free;
  for (const button of buttons()) if (button.name === "decide") button.disabled = !mine;
}

function busy(is) {
  for (const button of buttons()) button.disabled = is || (button.name === "decide" && hold && !hold.mine);
}

/** Send the decision; the next item, where it is at hand, is shown meanwhile, and this one again if it fails. */
async function decide(event) {
  event.preventDefault();
  const body = new FormData(event.target, event.submitter);
  const earlier = sending;
  busy(true);
  part("problem").hidden = true;
  // One at a time: where the decision before this one failed, its item is back and this one was not meant.
  if (earlier && !(await earlier)) return;
  const decided = { main: main(), hold, draft, url: location.href, title: document.title };
  hold?.interrupt();
  const answered = send(event.target.action, body);
  const outcome = answered.then(({ ok }) => ok);
  sending = outcome;
  const ready = await Promise.race([next, answered.then(() => null)]);
  if (ready) show(ready, true);
  const { ok, status, answer } = await answered;
  if (sending === outcome) sending = null;
  if (!ok) return refused(decided, ready, status, answer?.error);
  decided.draft.forget();
  decided.hold.stop();
  if (!ready) return goOn(answer);
  showNotice(answer.notice);
  keys.refresh();
}

async function send(url, body) {
  try {
    // A small one arrives also when the page is left at once; browsers allow that no large one.
    const keepalive = [...body.values()].join("").length < 30_000;
    const response = await fetch(url, { method: "POST", body, keepalive, headers: { Accept: "application/json" } });
    return { ok: response.ok, status: response.status, answer: await response.json() };
  } catch {
    return { ok: false };
  }
}

/** To where the server says, without leaving the page if that is an item. */
async function goOn({ next: url, notice }) {
  const wanted = new URL(url, location.href).href;
  let ready = await next;
  if (ready?.url !== wanted) {
    letGo(ready);
    ready = await prefetch(wanted);
  }
  if (ready) {
    show(ready, true);
    return showNotice(notice);
  }
  keepNotice(notice);
  location.assign(wanted);
}

/** Show the item again that the decision was about, say why, keep all that was typed. */
async function refused(decided, ahead, status, error) {
  if (ahead) {
    hold?.leave();
    letGo(await next);
    next = null;
    main().replaceWith(decided.main);
    ({ hold, draft } = decided);
    document.title = decided.title;
    history.replaceState(null, "", decided.url);
    document.dispatchEvent(new CustomEvent("desk:shown"));
  }
  hold?.start();
  const box = part("problem");
  const signedOut = status === 401 || error?.code === "form_expired";
  const lost = status === 409;
  const said = error && !signedOut ? `${asSentence(error.message)} ${box.dataset.kept}` : null;
  box.querySelector("p").textContent = said ?? (signedOut ? box.dataset.signedOut : box.dataset.away);
  box.querySelector('[data-on="lost"]').hidden = !lost;
  box.querySelector('[data-on="signed-out"]').hidden = !signedOut;
  box.hidden = false;
  box.focus();
  busy(false);
  if (!lost) return;
  // There is nothing left to decide on this page; what was typed can be copied.
  hold?.leave();
  for (const button of buttons()) if (button.name === "decide") button.disabled = true;
}

const asSentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** Put a fetched item in the place of the one that is shown, whose hold is let go unless it is `decided`. */
function show(ready, decided = false) {
  next = null;
  if (decided) hold?.stop();
  else hold?.leave();
  main().replaceWith(ready.main);
  document.title = ready.title;
  history.pushState(null, "", ready.url);
  window.scrollTo(0, 0);
  attach(ready.hold);
  document.dispatchEvent(new CustomEvent("desk:shown"));
  main().focus({ preventScroll: true });
}

function fieldAtHand() {
  return document.activeElement?.closest("[data-field]") ?? fields()[0];
}

function edit() {
  const field = fieldAtHand();
  const radio = field?.querySelector('input[type="radio"][value="edit"]');
  if (radio && !radio.checked) choose(radio);
  const input = [...(field?.querySelectorAll('input:not([type="radio"]), textarea, select') ?? [])].find(
    (element) => element.type !== "hidden" && element.checkVisibility(),
  );
  input?.focus();
  input?.select?.();
}

function choose(radio) {
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The next of the decisions on a field: approve, edit, reject, and round again. */
function cycle(number) {
  const field = fields()[number - 1];
  const radios = [...(field?.querySelectorAll('input[type="radio"]') ?? [])];
  if (!field) return;
  field.scrollIntoView({ block: "center" });
  if (radios.length === 0) {
    field.querySelector("input, textarea, select")?.focus({ preventScroll: true });
    return;
  }
  const to = radios[(radios.findIndex((radio) => radio.checked) + 1) % radios.length];
  choose(to);
  to.focus({ preventScroll: true });
}

/** Take back, once it is known what there is to be taken back. */
async function undo() {
  await sending;
  main().querySelector('[data-act="undo"]')?.click();
}

const keys = useKeys({ edit, undo }, cycle);

document.addEventListener("click", async (event) => {
  if (event.target.closest("[data-desk-discard]")) {
    draft.discard();
    part("draft").hidden = true;
  }
  if (event.target.closest("[data-desk-take-over]")) {
    event.preventDefault();
    await hold.start();
  }
  const link = event.target.closest('a[data-act="next"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !next) return;
  event.preventDefault();
  const ready = await next;
  if (ready?.url === link.href) show(ready);
  else location.assign(link.href);
});
window.addEventListener("popstate", () => location.reload());
window.addEventListener("pagehide", async () => {
  hold?.leave();
  if (next) letGo(await next);
});

dropOldDrafts();
showKeptNotice();
attach();
