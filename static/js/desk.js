/** The page of one item: decide with one key, see the next at once, lose nothing. */
import { watchValues } from "./checks.js";
import { Hold } from "./holds.js";
import { Draft, dropOldDrafts } from "./drafts.js";
import { useKeys } from "./keys.js";
import { keepNotice, showKeptNotice, showNotice } from "./notices.js";
import { itemIn, letGo, prefetch } from "./prefetch.js";

/** After how long it is asked what became of a decision without an answer; the proxy may be restarting. */
const ASK_AGAIN_MS = [0, 1_000, 3_000, 6_000];

let hold = null;
let draft = null;
/** The promise of the next item, and once that is kept the item itself, or null. */
let next = null;
/** Whether the decision that is on its way was taken, once it is known. */
let sending = null;
/** What notes which rows were in view. */
let watcher = null;
/** Whether the decision was pressed with a pointer, not by a key. */
let pointed = false;

const main = () => document.querySelector("main");
const form = () => main().querySelector("form[data-decide]");
const part = (name) => main().querySelector(`[data-desk-${name}]`);
const fields = () => [...(form()?.querySelectorAll("[data-field]") ?? [])];
const buttons = () => form()?.querySelectorAll("button") ?? [];

/** Make the item that is shown work. */
function attach(standing = null) {
  const item = itemIn(main());
  const deciding = form();
  keys.refresh();
  if (!deciding || !item?.claimUrl) return;
  for (const one of [deciding, document.getElementById("park")]) one?.addEventListener("submit", decide);
  draft = new Draft(deciding, item.draft);
  if (draft.restore(new URLSearchParams(location.search).has("undone"))) part("draft").hidden = false;
  watchValues(deciding);
  watchRows();
  for (const offer of deciding.querySelectorAll("[data-offer]")) {
    offer.hidden = false;
    offer.addEventListener("click", () => put(inputOf(offer.closest("[data-field]")), offer.dataset.offer));
  }
  for (const kind of ["input", "change"]) deciding.addEventListener(kind, sayWhatIsOpen);
  deciding.addEventListener("focusin", showAtHand);
  deciding.addEventListener("keydown", pressInValue);
  deciding.addEventListener("keydown", closePark);
  sayWhatIsOpen();
  hold = new Hold(item, showHold);
  hold.start(standing).then(async () => {
    // What is being decided at this moment must not come back as the next.
    await sending;
    const link = main().querySelector('a[data-act="next"]');
    if (!link || next) return;
    const asked = (next = prefetch(link.href));
    asked.then((found) => {
      if (next === asked) next = found;
    });
  });
}

/** Who has the item: the sentence, and which of the buttons work. */
function showHold({ mine, free, decided, sentence }) {
  if (decided) return decidedElsewhere(sentence);
  const banner = part("claim");
  banner.hidden = mine;
  if (banner.firstElementChild.textContent !== sentence) banner.firstElementChild.textContent = sentence;
  banner.querySelector("button").hidden = !free;
  mayDecide(mine);
}

/** The buttons that decide, and the sentence that says what they would do. */
function mayDecide(may) {
  for (const button of buttons()) if (button.name === "decide") button.disabled = !may;
  const says = part("says");
  if (says) says.hidden = !may;
}

/** Somebody else has decided: say so, and where to go from here. What was typed can be copied. */
function decidedElsewhere(sentence) {
  if (sending) return; // It may be one's own decision that is on its way.
  part("claim").hidden = true;
  const box = part("problem");
  const typed = draft.fate() !== "nothing";
  say(box, typed ? `${asSentence(sentence)} ${box.dataset.kept}` : asSentence(sentence));
  for (const link of box.querySelectorAll('[data-on="lost"]')) link.hidden = false;
  mayDecide(false);
}

/** Take the item over; where it is decided already and nothing was typed, go on from it. */
async function takeOver(asking) {
  await hold.start();
  if (hold.stopped && draft.fate() === "nothing") asking.submit();
}

function busy(is) {
  for (const button of buttons()) button.disabled = is || (button.name === "decide" && hold && !hold.mine);
}

/** Send the decision; the next item, where it is at hand, is shown meanwhile, and this one again if it fails. */
async function decide(event) {
  event.preventDefault();
  const body = new FormData(event.target, event.submitter);
  if (body.get("decide") === "finish") {
    const left = leftOpen();
    if (left.length > 0) return void markWrong(left);
    const row = pointed ? null : unseen();
    if (row) return notYet(row);
  }
  const earlier = sending;
  busy(true);
  part("problem").hidden = true;
  // One at a time: where the decision before this one failed, its item is back and this one was not meant.
  if (earlier && !(await earlier)) return;
  // With the next item held already, the server need not hold one for this page, which may be left before.
  if (next?.hold) body.set("ahead", "1");
  const decided = { main: main(), hold, draft, url: location.href, title: document.title };
  hold?.interrupt();
  const answered = send(event.target.action, body, decided);
  const outcome = answered.then(({ ok }) => ok);
  sending = outcome;
  const ready = await Promise.race([next, answered.then(() => null)]);
  if (ready) show(ready, true);
  const { ok, status, answer, unknown } = await answered;
  if (sending === outcome) sending = null;
  if (!ok) return refused(decided, ready, status, answer?.error, unknown);
  decided.draft.sent();
  decided.hold.stop();
  if (!ready) return goOn(answer);
  showNotice(answer.notice);
  keys.refresh();
}

/** Show a row that would have been approved unseen, and say so. */
function notYet(row) {
  goTo(row);
  const says = part("says");
  says.textContent = form().dataset.unseen;
  says.classList.add("is-open");
}

async function send(url, body, decided) {
  // A small one arrives also when the page is left at once; browsers allow that no large one.
  const keepalive = [...body.values()].join("").length < 30_000;
  const answered = await request(url, { method: "POST", body, keepalive });
  return answered ?? whatBecame(decided, body.get("version"));
}

/** What the server answers; null where nothing of it arrives, or what a proxy says in its place. */
async function request(url, options = {}) {
  try {
    const response = await fetch(url, { ...options, headers: { Accept: "application/json" } });
    return { ok: response.ok, status: response.status, answer: await response.json() };
  } catch {
    return null;
  }
}

/**
 * Find out what became of a decision of which no answer arrived: it may have been taken. The answer that was lost; one
 * without a status where the item still waits, and `unknown` where nobody can be asked.
 */
async function whatBecame({ url, main: shown }, version) {
  const box = shown.querySelector("[data-desk-problem]");
  const state = new URL(url);
  state.searchParams.set("version", version);
  for (const wait of ASK_AGAIN_MS) {
    if (shown.isConnected) say(box, box.dataset.asking);
    await new Promise((resolve) => setTimeout(resolve, wait));
    const told = await request(state, { cache: "no-store" });
    if (told && told.status < 500) return told.answer.waits ? { ok: false } : told;
  }
  return { ok: false, unknown: true };
}

function say(box, sentence) {
  box.querySelector("p").textContent = sentence;
  for (const link of box.querySelectorAll("[data-on]")) link.hidden = true;
  box.hidden = false;
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
async function refused(decided, ahead, status, error, unknown) {
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
  box.querySelector("p").textContent = said ?? (signedOut ? box.getAttribute(`data-ended-${decided.draft.fate()}`) : unknown ? box.dataset.unknown : box.dataset.away);
  for (const link of box.querySelectorAll('[data-on="lost"]')) link.hidden = !lost;
  box.querySelector('[data-on="signed-out"]').hidden = !signedOut;
  box.hidden = false;
  busy(false);
  const wrong = fields().filter((field) => error?.fields?.includes(field.dataset.field));
  if (!markWrong(wrong)) box.focus();
  if (!lost) return;
  // There is nothing left to decide on this page; what was typed can be copied.
  hold?.leave();
  for (const button of buttons()) if (button.name === "decide") button.disabled = true;
}

/** Mark the fields that a decision was refused for and go to the first of them; whether there is one. */
function markWrong(wrong) {
  for (const input of form()?.querySelectorAll('[aria-invalid="true"]') ?? []) input.removeAttribute("aria-invalid");
  for (const field of wrong) inputOf(field)?.setAttribute("aria-invalid", "true");
  goTo(wrong[0]);
  return wrong.length > 0;
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

/** The field that keys are about: the one with the focus, else the first that is open, else the first to decide. */
function fieldAtHand() {
  const all = fields();
  return document.activeElement?.closest("[data-field]") ?? all.find(isOpen) ?? all.find(needsDecision) ?? all[0];
}

const radioOf = (field, answer) => field?.querySelector(`input[type="radio"][data-answer="${answer}"]`);
const inputOf = (field) =>
  [...(field?.querySelectorAll(":is(input:not([type]), input[type=text], textarea, select)") ?? [])].find((input) =>
    input.name.startsWith("value-"),
  );
const boxOf = (field, name) => field?.querySelector(`input[type="checkbox"][name="${name}"]`);
const labelOf = (field) => document.getElementById(`label-${field.dataset.field}`).textContent.trim();

const needsDecision = (field) => "needs" in field.dataset;

/** Whether nothing settles the field: a choice left open, or a required value that nobody gave. */
function isOpen(field) {
  const chosen = field.querySelector('input[type="radio"]:checked');
  if (chosen?.value === "reject") return true;
  if (chosen && chosen.value !== "edit") return false;
  if (!("required" in field.dataset) || boxOf(field, "waive")?.checked) return false;
  const input = inputOf(field);
  return !input?.value.trim() || ("insufficient" in field.dataset && input.value === input.defaultValue);
}

/** Open the part of the page in which a field lies folded away. */
function unfold(field) {
  const holder = field?.closest("details.folded");
  if (holder) holder.open = true;
}

/** Go to a field: its row has the focus and its place on the page is lit. Nothing changes. */
function goTo(field) {
  if (!field) return;
  unfold(field);
  field.scrollIntoView({ block: "nearest" });
  const target = field.hasAttribute("tabindex") ? field : field.querySelector("input:checked, input, textarea, select");
  target?.focus({ preventScroll: true });
}

/** The next field after this one that is `wanted`; round again at the end. */
function nextAfter(field, wanted) {
  const all = fields();
  const at = all.indexOf(field);
  return [...all.slice(at + 1), ...all.slice(0, at)].find(wanted);
}

/** Go to the next field to decide: an open one, else any that a person has to look at. */
function doubtful() {
  const field = document.activeElement?.closest("[data-field]");
  if (field) goTo(nextAfter(field, isOpen) ?? nextAfter(field, needsDecision));
  else goTo(fields().find(isOpen) ?? fields().find(needsDecision));
}

/** Type into the field at hand. */
function edit() {
  const field = fieldAtHand();
  const radio = radioOf(field, "edit");
  if (radio && !radio.checked) choose(radio);
  const holder = field?.querySelector("details.long-edit");
  if (holder) holder.open = true;
  unfold(field);
  const input = inputOf(field);
  input?.focus();
  input?.select?.();
}

function choose(radio) {
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Take what is proposed for the field at hand, or what its upload offers. */
function take() {
  const field = fieldAtHand();
  const offer = field?.querySelector("[data-offer]");
  const radio = radioOf(field, "take");
  if (radio) choose(radio);
  else if (offer) put(inputOf(field), offer.dataset.offer);
  else return false;
  goTo(field);
}

/** Leave the field at hand as it was read. */
function leaveAsRead() {
  const field = fieldAtHand();
  return mark(field, radioOf(field, "leave") ?? ("current" in field.dataset ? radioOf(field, "take") : null));
}

/** Leave the field at hand undecided. */
function leaveOpen() {
  const field = fieldAtHand();
  return mark(field, radioOf(field, "open"));
}

function mark(field, radio) {
  if (!radio) return false;
  choose(radio);
  goTo(field);
}

function put(input, value) {
  input.value = value;
  for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
}

/** Ask for what is missing, or no longer: of the field at hand where it is missing, else of all that are. */
function ask() {
  const at = boxOf(document.activeElement?.closest("[data-field]"), "ask");
  const boxes = at ? [at] : fields().filter(isOpen).map((field) => boxOf(field, "ask")).filter(Boolean);
  if (boxes.length === 0) return false;
  const on = !boxes.every((box) => box.checked);
  for (const box of boxes) check(box, on);
}

/** Let the entry be complete as it is; its reason is typed next. */
function waive() {
  const boxes = fields().map((field) => boxOf(field, "waive")).filter(Boolean);
  if (boxes.length === 0) return void (part("says").textContent = form().dataset.saysNothing);
  const on = !boxes.every((box) => box.checked);
  for (const box of boxes) check(box, on);
  if (on) form().elements.reason.focus();
}

function check(box, on) {
  box.checked = on;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Escape closes the note of parking. */
function closePark(event) {
  const holder = event.target.closest("details.park[open]");
  if (event.key !== "Escape" || !holder) return;
  holder.open = false;
  holder.querySelector("summary").focus();
}

function park() {
  const holder = form()?.querySelector("details.park");
  if (!holder) return false;
  holder.open = true;
  holder.querySelector("input").focus();
}

const requiredOpen = () => fields().filter((field) => "required" in field.dataset && isOpen(field));

/** The required fields that the decision would leave open without asking for them. */
const leftOpen = () => requiredOpen().filter((field) => !boxOf(field, "ask")?.checked);

/** Mark the row that the keys are about while none has the focus. */
function showAtHand() {
  const at = fieldAtHand();
  for (const field of fields()) field.classList.toggle("at-hand", field === at);
}

/** Say under the rows what the decision would leave open, before it is taken. */
function sayWhatIsOpen() {
  const says = part("says");
  const of = form()?.dataset;
  if (!says || !of) return;
  showAtHand();
  const left = leftOpen();
  const asked = requiredOpen().filter((field) => !left.includes(field));
  const kept = fields().filter((field) => isOpen(field) && !("required" in field.dataset));
  for (const input of form().querySelectorAll('.desk-row [aria-invalid="true"]')) {
    if (!left.includes(input.closest("[data-field]")) && !input.parentElement.querySelector(".check-sentence:not(:empty)")) input.setAttribute("aria-invalid", "false");
  }
  const names = (some) => some.map(labelOf).join(", ");
  const unexplained = form().querySelector('input[name="waive"]:checked') && !form().elements.reason.value.trim();
  const sentence = left.length > 0 ? of.saysOpen.replace("{fields}", names(left))
    : unexplained ? of.saysReason
    : asked.length > 0 ? of.saysAsked.replace("{fields}", names(asked)) : of.saysReady;
  const more = [
    left.some((field) => boxOf(field, "waive")) ? of.saysShort : "",
    kept.length > 0 ? of.saysKept.replace("{fields}", names(kept)) : "",
  ];
  const all = [sentence, ...more].filter(Boolean).join(" ");
  if (says.textContent !== all) says.textContent = all;
  says.classList.toggle("is-open", left.length > 0 || Boolean(unexplained));
}

/** Watch which rows with something to approve have been in view. */
function watchRows() {
  watcher?.disconnect();
  watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) entry.target.dataset.seen = "";
  }, { threshold: 0.6, rootMargin: "-56px 0px -96px 0px" });
  for (const field of fields().filter(needsDecision)) watcher.observe(field);
}

/** The first row that would be approved without having been in view. */
function unseen() {
  return fields().find((field) => needsDecision(field) && !("seen" in field.dataset) && !isOpen(field) && !isInView(field));
}

function isInView(field) {
  const { top, bottom } = field.getBoundingClientRect();
  const end = form().querySelector(".decide-bar")?.getBoundingClientRect().top ?? innerHeight;
  return top >= 0 && top + Math.min(bottom - top, 60) <= Math.min(end, innerHeight);
}

/** Enter in a value goes on to the next open field; the decision itself has a key of its own. */
function pressInValue(event) {
  if (event.key !== "Enter" || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const input = event.target;
  if (event.defaultPrevented || !input.name?.startsWith("value-") || input.tagName === "TEXTAREA") return;
  event.preventDefault();
  const field = input.closest("[data-field]");
  const next = nextAfter(field, isOpen);
  goTo(next ?? field);
  // What has to be typed can be typed at once.
  if (next && !next.querySelector('input[type="radio"]')) inputOf(next)?.focus();
}

/** Take back, once it is known what there is to be taken back. */
async function undo() {
  await sending;
  main().querySelector('[data-act="undo"]')?.click();
}

const keys = useKeys(
  { edit, take, leave: leaveAsRead, open: leaveOpen, doubtful, ask, waive, park, undo },
  (number) => goTo(fields()[number - 1]),
);

document.addEventListener("click", (event) => {
  if (event.target.closest('[data-act="approve"]')) pointed = event.detail > 0;
}, true);
document.addEventListener("click", async (event) => {
  if (event.target.closest('[data-act="doubtful"]')) doubtful();
  if (event.target.closest("[data-desk-discard]")) {
    draft.discard();
    part("draft").hidden = true;
  }
  if (event.target.closest("[data-desk-take-over]")) {
    event.preventDefault();
    await takeOver(event.target.form);
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
