/** Hold the item that is shown: take it, keep the hold alive, say who else has it, let go on leaving. */
import { csrfToken } from "./csrf.js";

const HEARTBEAT_MS = 60_000;
const LOOK_MS = 5_000;

export async function takeHold(url, signal) {
  return ask(url, { method: "POST", signal, headers: { Accept: "application/json", "X-CSRFToken": csrfToken() } });
}

/** Let go also while the page goes away. */
export function release(url) {
  navigator.sendBeacon(url, new URLSearchParams({ csrf_token: csrfToken() }));
}

export class Hold {
  /**
   * @param {{claimUrl: string, releaseUrl: string}} item
   * @param {(hold: {mine: boolean, free: boolean, sentence: string}) => void} onChange
   */
  constructor(item, onChange) {
    this.item = item;
    this.onChange = onChange;
    this.mine = false;
  }

  /** Take it where it is free, and keep asking. A hold of one's own is renewed, another's is looked at. */
  async start(standing = null) {
    this.stopped = false;
    window.clearTimeout(this.timer);
    await this.heard(standing ?? (await this.ask(takeHold)));
  }

  /** Ask the server, instead of whatever is being asked. */
  ask(question) {
    this.interrupt();
    this.asking = new AbortController();
    return question(this.item.claimUrl, this.asking.signal);
  }

  async heard(hold) {
    if (this.stopped) return;
    if (hold) {
      this.mine = hold.mine;
      this.onChange(hold);
    }
    if (hold?.decided) return this.stop();
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.again(), this.mine ? HEARTBEAT_MS : LOOK_MS);
  }

  async again() {
    await this.heard(await this.ask(this.mine ? takeHold : lookAtHold));
  }

  /** Take back the question that is on its way: after a decision, its answer would be that all is decided. */
  interrupt() {
    this.asking?.abort();
  }

  stop() {
    this.stopped = true;
    this.interrupt();
    window.clearTimeout(this.timer);
  }

  /** Stop, and let go of what is still held: a hold that was stopped ended with its item's decision. */
  leave() {
    if (this.mine && !this.stopped) release(this.item.releaseUrl);
    this.stop();
  }
}

function lookAtHold(url, signal) {
  return ask(url, { signal, headers: { Accept: "application/json" } });
}

/** The answer, or null: a server that does not answer is no reason to stop a person from typing. */
async function ask(url, options) {
  try {
    const response = await fetch(url, options);
    const answer = await response.json();
    if (response.status === 409) return { mine: false, free: false, decided: true, sentence: answer.error.message };
    return response.ok ? answer : null;
  } catch {
    return null;
  }
}
