/** Say while a person types whether a value looks right. The server decides; this only saves a round. */

const CHECKS = {
  grade: (value) => /^(k|([1-9]|1[0-2]))$/i.test(value),
  phone: (value) => /^[\d\s()+./-]+(\s*(x|ext\.?)\s*\d+)?$/i.test(value) && between(value.replace(/\D/g, "").length, 7, 15),
  email: (value) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value),
};

const between = (number, least, most) => number >= least && number <= most;

/** Watch the inputs of a form; the sentences stand in `data-check-…` of the form's page. */
export function watchValues(form) {
  const says = document.querySelector("[data-checks]")?.dataset;
  if (!says) return;
  for (const input of form.elements) {
    const name = input.name?.replace(/^value-/, "");
    if (!Object.hasOwn(CHECKS, name) || !input.name.startsWith("value-")) continue;
    const sentence = document.createElement("p");
    sentence.className = "check-sentence";
    sentence.id = `check-${name}`;
    sentence.setAttribute("aria-live", "polite");
    input.after(sentence);
    const check = () => {
      const value = input.value.trim();
      const wrong = value !== "" && !CHECKS[name](value);
      input.setAttribute("aria-invalid", String(wrong));
      sentence.textContent = wrong ? says[name] : "";
    };
    input.setAttribute("aria-describedby", [input.getAttribute("aria-describedby"), sentence.id].filter(Boolean).join(" "));
    input.addEventListener("input", check);
    check();
  }
}
