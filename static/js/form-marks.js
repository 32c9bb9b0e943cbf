/** Marks on the picture of a page: choose, move, resize and draw them. Lengths are points of the page. */
const STEP = 1;
/** A drag shorter than this (points) is a click. */
const LEAST = 4;
const SIDES = ["x0", "y0", "x1", "y1"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NS = "http://www.w3.org/2000/svg";

const rounded = (value) => Math.round(value * 10) / 10;
const ordered = (box) => ({
  x0: Math.min(box.x0, box.x1),
  y0: Math.min(box.y0, box.y1),
  x1: Math.max(box.x0, box.x1),
  y1: Math.max(box.y0, box.y1),
});

export class Marks {
  /**
   * @param {SVGSVGElement} svg
   * @param {{width: number, height: number}} page
   * @param {{moved: Function, drawn: Function, chosen: Function, entered: Function, emptied: Function}} on
   */
  constructor(svg, page, on) {
    Object.assign(this, { svg, page, on, chosen: null, drag: null });
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.pull(event));
    svg.addEventListener("pointerup", (event) => this.release(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", (event) => this.choose(event.target.dataset?.mark ?? null));
  }

  rectOf(part) {
    return this.svg.querySelector(`[data-mark="${CSS.escape(part)}"]`);
  }

  /** Draw the box of a part anew; of nothing, remove it. */
  show(part, box) {
    let rect = this.rectOf(part);
    if (!box) {
      rect?.remove();
      this.handle();
      return;
    }
    if (!rect) {
      rect = document.createElementNS(NS, "rect");
      rect.dataset.mark = part;
      rect.setAttribute("class", `mark ${part.endsWith("-zone") ? "zone" : part.endsWith("-mark") ? "tick" : "printed"}`);
      rect.setAttribute("tabindex", "-1");
      rect.setAttribute("role", "button");
      rect.setAttribute("aria-label", part);
      this.svg.append(rect);
    }
    const { x0, y0, x1, y1 } = ordered(box);
    for (const [name, value] of [["x", x0], ["y", y0], ["width", x1 - x0], ["height", y1 - y0]]) {
      rect.setAttribute(name, rounded(value));
    }
    this.handle();
  }

  boxOf(part) {
    const rect = this.rectOf(part);
    if (!rect) return null;
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
    return { x0: x, y0: y, x1: x + width, y1: y + height };
  }

  choose(part) {
    if (part === this.chosen) return;
    this.chosen = part;
    for (const rect of this.svg.querySelectorAll(".chosen")) rect.classList.remove("chosen");
    if (part) this.rectOf(part)?.classList.add("chosen");
    this.handle();
    if (!this.drag) this.on.chosen(part);
  }

  /** The lower right corner of the chosen mark, to be dragged. */
  handle() {
    this.svg.querySelector(".handle")?.remove();
    const box = this.chosen && this.boxOf(this.chosen);
    if (!box) return;
    const handle = document.createElementNS(NS, "rect");
    const size = 7;
    const place = { x: box.x1 - size / 2, y: box.y1 - size / 2, width: size, height: size, class: "handle" };
    for (const [name, value] of Object.entries(place)) handle.setAttribute(name, value);
    this.svg.append(handle);
  }

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return {
      x: Math.min(Math.max(point.x, 0), this.page.width),
      y: Math.min(Math.max(point.y, 0), this.page.height),
    };
  }

  press(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const from = this.at(event);
    const corner = event.target.matches(".handle");
    const part = corner ? this.chosen : (event.target.dataset?.mark ?? null);
    // First of all: while it lasts, nothing may move the page below the pointer.
    if (part && !this.drawing) {
      this.drag = { part, from, box: this.boxOf(part), corner, far: false };
      this.choose(part);
      this.rectOf(part).focus({ preventScroll: true });
    } else {
      this.drag = { part: null, from, box: null, corner: false, far: false };
      this.choose(null);
    }
    this.svg.setPointerCapture(event.pointerId);
  }

  pull(event) {
    if (!this.drag) return;
    const to = this.at(event);
    const { from, box, part, corner } = this.drag;
    const [across, down] = [to.x - from.x, to.y - from.y];
    if (Math.hypot(across, down) >= LEAST) this.drag.far = true;
    if (!this.drag.far) return;
    if (!part) this.sketch(ordered({ x0: from.x, y0: from.y, x1: to.x, y1: to.y }));
    else this.show(part, corner ? { ...box, x1: box.x1 + across, y1: box.y1 + down } : this.moved(box, across, down));
  }

  release(event) {
    const drag = this.drag;
    if (!drag) return;
    this.pull(event);
    this.cancel();
    this.on.chosen(drag.part);
    if (!drag.far) return;
    if (drag.part) {
      this.on.moved(drag.part, this.boxOf(drag.part));
      return;
    }
    const to = this.at(event);
    const box = ordered({ x0: drag.from.x, y0: drag.from.y, x1: to.x, y1: to.y });
    for (const side of SIDES) box[side] = rounded(box[side]);
    if (box.x1 - box.x0 >= LEAST && box.y1 - box.y0 >= LEAST) this.on.drawn(box);
  }

  cancel() {
    this.drag = null;
    this.svg.querySelector(".sketch")?.remove();
  }

  sketch(box) {
    let rect = this.svg.querySelector(".sketch");
    if (!rect) {
      rect = document.createElementNS(NS, "rect");
      rect.setAttribute("class", "sketch");
      this.svg.append(rect);
    }
    const values = { x: box.x0, y: box.y0, width: box.x1 - box.x0, height: box.y1 - box.y0 };
    for (const [name, value] of Object.entries(values)) rect.setAttribute(name, value);
  }

  /** The box moved as a whole, and kept on the page. */
  moved(box, across, down) {
    const right = Math.min(Math.max(across, -box.x0), this.page.width - box.x1);
    const below = Math.min(Math.max(down, -box.y0), this.page.height - box.y1);
    return { x0: box.x0 + right, y0: box.y0 + below, x1: box.x1 + right, y1: box.y1 + below };
  }

  key(event) {
    const part = event.target.dataset?.mark;
    if (!part) return;
    if (event.key in ARROWS) {
      event.preventDefault();
      const [across, down] = ARROWS[event.key].map((side) => side * STEP);
      const box = this.boxOf(part);
      const larger = {
        ...box,
        x1: Math.min(Math.max(box.x1 + across, box.x0 + LEAST), this.page.width),
        y1: Math.min(Math.max(box.y1 + down, box.y0 + LEAST), this.page.height),
      };
      this.show(part, event.shiftKey ? larger : this.moved(box, across, down));
      this.on.moved(part, this.boxOf(part));
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.on.entered(part);
    } else if (event.key === "Delete") {
      event.preventDefault();
      this.on.emptied(part);
    } else if (event.key === "Escape") {
      this.choose(null);
      event.target.blur();
    }
  }
}
