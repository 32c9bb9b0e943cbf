/** The plan of a report: lines are moved, added and removed in their place; without this the server does it. */
const form = document.querySelector("[data-plan]");
const list = form?.querySelector("[data-questions]");

function renumber() {
  const items = [...list.children];
  items.forEach((item, index) => {
    const field = item.querySelector("textarea");
    field.id = `question-${index}`;
    const label = item.querySelector("label");
    label.htmlFor = field.id;
    label.textContent = numbered(label.textContent, index);
    for (const button of item.querySelectorAll("[data-do]")) {
      button.value = `${button.dataset.do}-${index}`;
      button.setAttribute("aria-label", numbered(button.getAttribute("aria-label"), index));
    }
    item.querySelector('[data-do="up"]').disabled = index === 0;
    item.querySelector('[data-do="down"]').disabled = index === items.length - 1;
  });
}

/** Sentences of the page name the question by its number. */
function numbered(text, index) {
  return text.replace(/\d+/, String(index + 1));
}

function change(button) {
  const item = button.closest("li");
  switch (button.dataset.do) {
    case "up":
      item.previousElementSibling?.before(item);
      break;
    case "down":
      item.nextElementSibling?.after(item);
      break;
    case "remove":
      (item.nextElementSibling ?? item.previousElementSibling)?.querySelector("textarea").focus();
      item.remove();
      break;
    case "add": {
      const added = list.lastElementChild.cloneNode(true);
      added.querySelector("textarea").value = "";
      list.append(added);
      renumber();
      added.querySelector("textarea").focus();
      return;
    }
  }
  renumber();
  if (button.isConnected) (button.disabled ? item.querySelector("textarea") : button).focus();
}

form?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  // The last line is the pattern of the next: to an empty list the server adds.
  if (!button || !list.children.length) return;
  if (button.dataset.do === "remove" && list.children.length === 1) {
    event.preventDefault();
    list.querySelector("textarea").value = "";
    list.querySelector("textarea").focus();
    return;
  }
  event.preventDefault();
  change(button);
});
