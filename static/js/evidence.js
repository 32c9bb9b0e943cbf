/** Light the box of a field and the field of a box. */
import { layWords } from "./page-text.js";
import { View } from "./view.js";

/** From here on a value that is shown on the page can be read. */
const CLOSE = 2;
/** Milliseconds in which a second press makes a double one. */
const TWO_PRESSES = 300;

let view = null;

const nameOf = (element) => element.closest("[data-field]")?.dataset.field;

/** The box at a point, also where a word of the page's text lies over it. */
function boxAt(event) {
  const over = event.target.closest("[data-box]");
  if (over || !event.target.closest(".words span")) return over;
  return document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.matches("[data-box]"));
}

/** Make the pages and fields of one entry work together. */
function attach(root) {
  const pages = root.querySelector("[data-pages]");
  const boxesOf = (name) => [...root.querySelectorAll(`[data-box="${CSS.escape(name)}"]`)];
  let waiting = 0;
  const fieldOf = (name) => root.querySelector(`[data-field="${CSS.escape(name)}"]`);
  view = new View(pages, root.querySelector("[data-zoom-tools]"));
  layWords(pages);

  function light(name) {
    for (const lit of root.querySelectorAll(".boxes .lit, .field.lit")) lit.classList.remove("lit");
    if (!name) return;
    for (const box of boxesOf(name)) box.classList.add("lit");
    fieldOf(name)?.classList.add("lit");
  }

  /** Bring a field's first box to the middle of the viewer. */
  function reveal(name) {
    const [box] = boxesOf(name);
    if (!box) return;
    const place = box.getBoundingClientRect();
    const middle = view.middle();
    view.move(place.left + place.width / 2 - middle.x, place.top + place.height / 2 - middle.y);
  }

  function goToField(name) {
    const field = fieldOf(name);
    if (!field) return;
    const holder = field.closest("details");
    if (holder) holder.open = true;
    field.scrollIntoView({ block: "center" });
    const inputs = [...field.querySelectorAll("input:checked, input, textarea, select")];
    const input = inputs.find((item) => item.checkVisibility() && item.type !== "hidden");
    (input ?? field).focus({ preventScroll: true });
  }

  root.addEventListener("focusin", (event) => {
    const name = nameOf(event.target);
    if (!name) return;
    light(name);
    reveal(name);
  });
  root.addEventListener("pointerover", (event) => {
    const name = nameOf(event.target) ?? boxAt(event)?.dataset.box;
    if (name) light(name);
  });
  root.addEventListener("click", (event) => {
    const name = nameOf(event.target);
    if (name && event.target.closest(".on-page")) {
      event.preventDefault();
      light(name);
      if (view.zoom < CLOSE) view.setZoom(CLOSE);
      reveal(name);
      return;
    }
    const box = boxAt(event);
    if (!box) return;
    event.preventDefault();
    if (!event.target.closest(".words")) return goToField(box.dataset.box);
    // The first press of two selects a word and must not move the page away under the second.
    clearTimeout(waiting);
    if (event.detail === 1) waiting = setTimeout(() => getSelection().isCollapsed && goToField(box.dataset.box), TWO_PRESSES);
  });
}

function attachShown() {
  const root = document.querySelector("[data-evidence]");
  view = null;
  if (root) attach(root);
}

document.addEventListener("keydown", (event) => {
  if (view?.press(event)) event.preventDefault();
});
// The desk puts the next item in the place of the one that was decided.
document.addEventListener("desk:shown", attachShown);
attachShown();
