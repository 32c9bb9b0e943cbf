/** What happened, in the place of the messages: now, or on the page that is loaded next. */
const STORE = "second-reader.notice";

export function showNotice(html) {
  document.querySelector(".messages").innerHTML = html;
}

export function keepNotice(html) {
  sessionStorage.setItem(STORE, html);
}

export function showKeptNotice() {
  const html = sessionStorage.getItem(STORE);
  sessionStorage.removeItem(STORE);
  if (html) showNotice(html);
}
