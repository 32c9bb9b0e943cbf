/** The words of a page, laid over its picture to be selected and copied. */
const FONT = "100px sans-serif";
/** The size of type in a box that reaches from the tallest letter to the lowest. */
const TYPE_IN_BOX = 0.8;

const measure = document.createElement("canvas").getContext("2d");

/** Where a word of a page that stands turned begins, and how its line runs. */
const RUNS = {
  0: ([x0, y0]) => [x0, y0, 0],
  90: ([x0, , , y1]) => [x0, y1, -90],
  180: ([, , x1, y1]) => [x1, y1, 180],
  270: ([, y0, x1]) => [x1, y0, 90],
};

function wordSpan([text, ...box], turned, size) {
  const [left, top, degrees] = (RUNS[turned] ?? RUNS[0])(box);
  const across = (box[2] - box[0]) * size.width;
  const down = (box[3] - box[1]) * size.height;
  const [length, height] = turned % 180 ? [down, across] : [across, down];
  const type = TYPE_IN_BOX * height;
  measure.font = FONT;
  const natural = (measure.measureText(text).width * type) / 100;
  const span = document.createElement("span");
  span.textContent = text;
  Object.assign(span.style, {
    left: `${100 * left}%`,
    top: `${100 * top}%`,
    fontSize: `${(100 * type) / size.height}cqh`,
    lineHeight: String(1 / TYPE_IN_BOX),
    transform: `rotate(${degrees}deg) scaleX(${natural > 0 ? length / natural : 1})`,
  });
  return span;
}

async function lay(layer) {
  const { pageWidth, pageHeight } = layer.closest(".page").dataset;
  const size = { width: Number(pageWidth), height: Number(pageHeight) };
  const response = await fetch(layer.dataset.words, { headers: { Accept: "application/json" } });
  if (!response.ok) return;
  const { turned, lines } = await response.json();
  const content = document.createDocumentFragment();
  for (const line of lines) {
    line.forEach((word, index) => content.append(index ? " " : "", wordSpan(word, turned, size)));
    content.append(document.createElement("br"));
  }
  layer.replaceChildren(content);
}

/** Fetch the words of each page once it comes near. Without them the page is a picture, no less. */
export function layWords(pages) {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        lay(target).catch((error) => {
          if (!(error instanceof TypeError)) throw error;
        });
      }
    },
    { root: pages, rootMargin: "50%" },
  );
  for (const layer of pages.querySelectorAll("[data-words]")) near.observe(layer);
}
