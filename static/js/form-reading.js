/** Follow the reading of a blank, then show its marks. */
import { follow, frame, state } from "./poll.js";

function showMarks() {
  if (state().status === "ready") window.location.replace(frame.dataset.then);
}

follow((html) => void (frame.innerHTML = html), showMarks, 1000);
showMarks();
