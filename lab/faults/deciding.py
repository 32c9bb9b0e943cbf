"""A reviewer who decides over HTTP what waits for a person, and takes some of it back."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

_TIMEOUT = httpx.Timeout(60.0, connect=5.0)
#: Seconds between two decisions.
_PAUSE_SECONDS = 1.0
#: Shares of decisions that are taken back, of proposals that are rejected whole, of escalations read again.
_UNDONE, _REJECTED, _READ_AGAIN = 0.25, 0.15, 0.15
#: Share of escalations that the model is asked about, where there is one.
_ASKED = 0.4


@dataclass
class Decided:
    """What the reviewer was told had been done, by the ids of decisions."""

    acknowledged: list[str] = field(default_factory=list)
    taken_back: list[str] = field(default_factory=list)
    #: Answers other than success, and connections that broke; each may or may not have been carried out.
    troubles: int = 0


class Reviewer:
    """Decides in a thread of its own until stopped."""

    def __init__(self, token: str, seed: int, asks_model: bool = False) -> None:
        self._headers = {"Authorization": f"Bearer {token}"}
        self._asked = _ASKED if asks_model else 0.0
        self._rng = Random(f"reviewer:{seed}")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._url = ""
        self.done = Decided()

    def start(self, url: str) -> None:
        """Begin to decide at this web server."""
        self._url = f"{url}/api/v1"
        self._thread.start()

    def stop(self) -> None:
        """End after the decision in hand."""
        self._stop.set()
        self._thread.join(timeout=120)

    def _work(self) -> None:
        while not self._stop.wait(_PAUSE_SECONDS):
            try:
                self._decide_one()
            except (httpx.HTTPError, ValueError, KeyError):
                self.done.troubles += 1

    def _decide_one(self) -> None:
        kinds = ["suggestions", "escalations"]
        self._rng.shuffle(kinds)
        for kind in kinds:
            waiting = self._get(f"{kind}?limit=20").get("rows", [])
            if waiting:
                found = self._get(f"{kind}/{self._rng.choice(waiting)['id']}")
                self._keep(self._decide(found) if kind == "suggestions" else self._resolve(found))
                return

    def _decide(self, found: dict[str, Any]) -> str | None:
        rejects = self._rng.random() < _REJECTED
        answers = {} if rejects else {one["name"]: {"action": _action(one)} for one in found["fields"]}
        body = {"version": found["version"], "answers": answers}
        return self._post(f"suggestions/{found['id']}/decision", body).get("decision_id")

    def _resolve(self, found: dict[str, Any]) -> str | None:
        address = f"escalations/{found['id']}/resolution"
        action = "settle"
        if self._rng.random() < self._asked:
            action = "ask_model"
        elif self._rng.random() < _READ_AGAIN:
            action = "read_again"
        try:
            return self._post(address, {"version": found["version"], "action": action}).get("decision_id")
        except httpx.HTTPStatusError as error:
            if error.response.status_code != 422:
                raise
        # It is incomplete, and nobody knows what is missing.
        return self._post(address, {"version": found["version"], "action": "reject"}).get("decision_id")

    def _keep(self, decision_id: str | None) -> None:
        if decision_id is None:
            return
        self.done.acknowledged.append(decision_id)
        if self._rng.random() < _UNDONE:
            self._post(f"decisions/{decision_id}/undo", None)
            self.done.taken_back.append(decision_id)

    def _get(self, address: str) -> dict[str, Any]:
        return _json_of(httpx.get(f"{self._url}/{address}", headers=self._headers, timeout=_TIMEOUT))

    def _post(self, address: str, body: dict[str, Any] | None) -> dict[str, Any]:
        answer = httpx.post(f"{self._url}/{address}", headers=self._headers, json=body, timeout=_TIMEOUT)
        return _json_of(answer)


def _action(proposed: dict[str, Any]) -> str:
    if proposed["proposed"] is not None:
        return "approve"
    return "keep" if proposed["current"] is not None else "reject"


def _json_of(answer: httpx.Response) -> dict[str, Any]:
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found
