/** The names of what was chosen beside each button that chooses files, and which of them files are dragged over. */
for (const picker of document.querySelectorAll("[data-file-picker]")) {
  const input = picker.querySelector('input[type="file"]');
  const names = picker.querySelector("[data-file-names]");
  const tell = () => {
    names.textContent = [...input.files].map((file) => file.name).join(", ") || names.dataset.none;
  };
  picker.classList.add("enhanced");
  input.addEventListener("change", tell);
  input.addEventListener("dragenter", () => picker.classList.add("over"));
  for (const name of ["dragleave", "drop"]) input.addEventListener(name, () => picker.classList.remove("over"));
  // Where a browser keeps what was chosen when one comes back.
  tell();
}
