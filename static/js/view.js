/** Zoom, turn and move the pages of an entry. */
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const SHARP_FROM = 1.5;
/** Pixels that the pointer moves before a press is a drag. */
const DRAG = 4;
const KEYS = { "+": "in", "=": "in", "-": "out", 0: "fit", "]": "turn", "[": "turn-back" };

const isTyping = (target) => target.matches('textarea, select, input:not([type="radio"], [type="checkbox"])');

/** Turn the window on a page as the page is turned. */
function turnCrop(crop, degrees) {
  const [x, y, width, height] = crop.dataset.crop.split(" ").map(Number);
  const box = {
    0: [x, y, width, height],
    90: [-(y + height), x, height, width],
    180: [-(x + width), -(y + height), width, height],
    270: [y, -(x + width), height, width],
  }[degrees];
  const scale = Number(crop.getAttribute("width")) / crop.viewBox.baseVal.width;
  crop.dataset.turn = String(degrees);
  crop.setAttribute("viewBox", box.join(" "));
  crop.setAttribute("width", String(Math.round(scale * box[2])));
  crop.setAttribute("height", String(Math.round(scale * box[3])));
  crop.firstElementChild.setAttribute("transform", `rotate(${degrees})`);
}

/** After how long a picture that did not come is asked for again. */
const PICTURE_AGAIN_MS = [1_000, 4_000, 15_000];

/** Show that a picture is still on its way; ask again for one that does not come, and end with what there is. */
function awaitPicture(image) {
  const sheet = image.closest(".sheet");
  const waits = [...PICTURE_AGAIN_MS];
  const busy = (is) => {
    sheet.classList.toggle("loading", is);
    if (is) sheet.setAttribute("aria-busy", "true");
    else sheet.removeAttribute("aria-busy");
  };
  const failed = () => {
    const wait = waits.shift();
    busy(wait !== undefined);
    if (wait !== undefined) setTimeout(() => (image.src = again(image.src, waits.length)), wait);
  };
  image.addEventListener("load", () => {
    busy(false);
    if (waits.length < PICTURE_AGAIN_MS.length) giveCrops(image);
  });
  image.addEventListener("error", failed);
  if (!image.complete) busy(true);
  else if (image.naturalWidth === 0) failed();
}

/** Give the windows on a page, whose picture failed with the page's own, the one that came. */
function giveCrops(image) {
  const { page } = image.closest(".page").dataset;
  for (const part of document.querySelectorAll(`[data-crop-page="${page}"] image`)) part.setAttribute("href", image.src);
}

/** The address with a part that makes it a new one: a browser may remember that the old one failed. */
function again(address, turn) {
  const url = new URL(address);
  url.searchParams.set("again", turn);
  return url.href;
}

/** What a viewer shows at which size. */
export class View {
  constructor(pages, tools) {
    this.pages = pages;
    this.tools = tools;
    this.zoom = 1;
    this.listen();
    for (const image of pages.querySelectorAll(".sheet > img")) awaitPicture(image);
    tools.hidden = false;
  }

  middle() {
    const frame = this.pages.getBoundingClientRect();
    return { x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 };
  }

  /** The page at a point of the window, or the one nearest to it. */
  pageAt({ y }) {
    const away = (page) => {
      const place = page.getBoundingClientRect();
      return Math.max(place.top - y, y - place.bottom, 0);
    };
    return [...this.pages.querySelectorAll(".page")].sort((one, other) => away(one) - away(other))[0];
  }

  /** Change the layout so that the spot of the page under `point` stays there. */
  keeping(point, change) {
    const page = this.pageAt(point);
    if (!page) return;
    const before = page.getBoundingClientRect();
    const across = (point.x - before.left) / before.width;
    const down = (point.y - before.top) / before.height;
    change(page);
    const after = page.getBoundingClientRect();
    this.move(after.left + across * after.width - point.x, after.top + down * after.height - point.y);
  }

  move(left, top) {
    this.pages.scrollBy({ left, top, behavior: "instant" });
  }

  setZoom(wanted, point = this.middle()) {
    this.keeping(point, () => {
      this.zoom = wanted;
      this.pages.style.setProperty("--zoom", String(wanted));
    });
    this.tools.querySelector("[data-zoom-level]").textContent = `${Math.round(wanted * 100)} %`;
    if (wanted < SHARP_FROM) return;
    for (const image of this.pages.querySelectorAll("img[data-sharp]")) {
      image.src = image.dataset.sharp;
      image.removeAttribute("data-sharp");
    }
  }

  step(by, point) {
    const index = ZOOMS.findIndex((size) => size >= this.zoom - 0.001);
    this.setZoom(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, index + by))], point);
  }

  turn(by) {
    this.keeping(this.middle(), (page) => {
      const degrees = (Number(page.dataset.turn ?? 0) + by + 360) % 360;
      page.dataset.turn = String(degrees);
      const { pageWidth, pageHeight } = page.dataset;
      const size = degrees % 180 ? [pageHeight, pageWidth] : [pageWidth, pageHeight];
      page.querySelector(".room").setAttribute("viewBox", `0 0 ${size.join(" ")}`);
      for (const crop of document.querySelectorAll(`[data-crop-page="${page.dataset.page}"]`)) turnCrop(crop, degrees);
    });
  }

  do(wish, point) {
    if (wish === "in") this.step(1, point);
    if (wish === "out") this.step(-1, point);
    if (wish === "fit") this.setZoom(1);
    if (wish === "turn") this.turn(90);
    if (wish === "turn-back") this.turn(-90);
  }

  /** Whether the key was one of the viewer's. */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) if (!event.getModifierState("AltGraph")) return false;
    const wish = KEYS[event.key];
    if (!wish || event.isComposing || isTyping(event.target) || document.querySelector("dialog[open]")) return false;
    this.do(wish);
    return true;
  }

  listen() {
    this.tools.addEventListener("click", (event) => this.do(event.target.closest("[data-zoom]")?.dataset.zoom));
    this.pages.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.step(event.deltaY < 0 ? 1 : -1, { x: event.clientX, y: event.clientY });
      },
      { passive: false },
    );
    this.pages.addEventListener("pointerdown", (event) => this.take(event));
  }

  /** Hold the page and drag it. A press on a word begins a selection instead; fingers scroll by themselves. */
  take(event) {
    if (event.button !== 0 || event.pointerType === "touch" || event.target.closest(".words span")) return;
    if (!event.target.closest(".page")) return;
    const start = { x: event.clientX, y: event.clientY };
    const { scrollLeft, scrollTop } = this.pages;
    let dragged = false;
    const drag = (moved) => {
      dragged ||= Math.hypot(moved.clientX - start.x, moved.clientY - start.y) > DRAG;
      if (!dragged) return;
      this.pages.classList.add("held");
      const left = scrollLeft + start.x - moved.clientX;
      const top = scrollTop + start.y - moved.clientY;
      this.pages.scrollTo({ left, top, behavior: "instant" });
    };
    const release = () => {
      window.removeEventListener("pointermove", drag);
      window.removeEventListener("pointerup", release);
      window.removeEventListener("pointercancel", release);
      this.pages.classList.remove("held");
      // The click that ends a drag opens no field.
      if (!dragged) return;
      const swallow = (click) => click.stopPropagation();
      window.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
    };
    event.preventDefault();
    this.pages.focus({ preventScroll: true });
    window.addEventListener("pointermove", drag);
    window.addEventListener("pointerup", release);
    window.addEventListener("pointercancel", release);
  }
}
