/** Sentences for people, which scripts hold in English; the page carries them in the person's language. */
const texts = Object.assign(
  {},
  ...Array.from(document.querySelectorAll("[data-sentences]"), (block) => JSON.parse(block.dataset.sentences)),
);

/** `say("Remove {name}", { name })` in the language of the page. */
export function say(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}
