/** The form token of this page, for requests that are no forms. */
export function csrfToken() {
  return document.querySelector('meta[name="csrf-token"]').content;
}
