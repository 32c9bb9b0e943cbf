/** Light the box of a field and the field of a box; zoom the pages. */
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const SHARP_FROM = 1.5;

const root = document.querySelector("[data-evidence]");
const pages = root.querySelector("[data-pages]");
const tools = root.querySelector("[data-zoom-tools]");
let zoom = 1;

const boxesOf = (name) => [...root.querySelectorAll(`[data-box="${CSS.escape(name)}"]`)];
const fieldOf = (name) => root.querySelector(`[data-field="${CSS.escape(name)}"]`);

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
  const frame = pages.getBoundingClientRect();
  pages.scrollBy({
    top: place.top + place.height / 2 - frame.top - frame.height / 2,
    left: place.left + place.width / 2 - frame.left - frame.width / 2,
  });
}

function setZoom(wanted) {
  const centre = (pages.scrollTop + pages.clientHeight / 2) / pages.scrollHeight;
  zoom = wanted;
  pages.style.setProperty("--zoom", String(zoom));
  tools.querySelector("[data-zoom-level]").textContent = `${Math.round(zoom * 100)} %`;
  if (zoom >= SHARP_FROM) for (const image of pages.querySelectorAll("img[data-sharp]")) sharpen(image);
  pages.scrollTop = centre * pages.scrollHeight - pages.clientHeight / 2;
}

function sharpen(image) {
  image.src = image.dataset.sharp;
  image.removeAttribute("data-sharp");
}

function step(by) {
  const index = ZOOMS.findIndex((size) => size >= zoom - 0.001);
  setZoom(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, index + by))]);
}

const nameOf = (event) => event.target.closest("[data-field]")?.dataset.field;

root.addEventListener("focusin", (event) => {
  const name = nameOf(event);
  if (!name) return;
  light(name);
  reveal(name);
});
root.addEventListener("pointerover", (event) => {
  const name = nameOf(event) ?? event.target.closest("[data-box]")?.dataset.box;
  if (name) light(name);
});
root.addEventListener("click", (event) => {
  const shown = event.target.closest(".on-page");
  if (shown) {
    event.preventDefault();
    const name = nameOf(event);
    light(name);
    if (zoom < 2) setZoom(2);
    reveal(name);
    return;
  }
  const name = event.target.closest("[data-box]")?.dataset.box;
  if (!name) return;
  event.preventDefault();
  const field = fieldOf(name);
  if (!field) return;
  const holder = field.closest("details");
  if (holder) holder.open = true;
  field.scrollIntoView({ block: "center" });
  const input = [...field.querySelectorAll("input:checked, input, textarea, select")].find((item) => item.offsetParent);
  (input ?? field).focus({ preventScroll: true });
});
tools.addEventListener("click", (event) => {
  const wish = event.target.closest("[data-zoom]")?.dataset.zoom;
  if (wish === "in") step(1);
  if (wish === "out") step(-1);
  if (wish === "fit") setZoom(1);
});
tools.hidden = false;
