"""Clients of a project's Auth, over one pool of connections a process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from core.errors import AuthUnavailableError

if TYPE_CHECKING:
    import httpx

#: Seconds to connect.
_CONNECT = 5.0


class Kept:
    """What a client stores during one action: `supabase_auth`'s storage, in memory."""

    def __init__(self) -> None:
        self._items: dict[str, str] = {}

    @property
    def verifier(self) -> str:
        """The secret whose hash was sent along with a request for a letter; "" if none was."""
        # The client notes behind a slash what the letter is for.
        return next((value.partition("/")[0] for key, value in self._items.items() if "verifier" in key), "")

    def get_item(self, key: str) -> str | None:
        """As `supabase_auth` asks for it."""
        return self._items.get(key)

    def set_item(self, key: str, value: str) -> None:
        """As `supabase_auth` asks for it."""
        self._items[key] = value

    def remove_item(self, key: str) -> None:
        """As `supabase_auth` asks for it."""
        self._items.pop(key, None)


class Connection:
    """Connects on first use; a forked child connects anew."""

    def __init__(self, url: str, seconds: float) -> None:
        """`url` is the project's; `seconds` the time for one answer."""
        #: Where Auth answers, and what it writes into its tokens as their issuer.
        self.address = f"{url.rstrip('/')}/auth/v1"
        self._seconds = seconds
        self._opened: tuple[int, httpx.Client] | None = None

    def client(self, key: str, kept: Kept | None = None) -> Any:
        """A client for one action of a person."""
        from supabase_auth import SyncGoTrueClient

        return SyncGoTrueClient(
            url=self.address,
            headers=_headers(key),
            http_client=self._http(),
            storage=kept or Kept(),
            auto_refresh_token=False,
            persist_session=False,
            flow_type="pkce",
        )

    def admin(self, key: str) -> Any:
        """A client for the accounts of others; `key` is that of the service role."""
        from supabase_auth import SyncGoTrueAdminAPI

        return SyncGoTrueAdminAPI(url=self.address, headers=_headers(key), http_client=self._http())

    def signing_keys(self) -> Any:
        """Return the project's JWK set as JSON. Raises AuthUnavailableError."""
        import httpx

        try:
            found = self._http().get(f"{self.address}/.well-known/jwks.json")
            found.raise_for_status()
            return found.json()
        except (httpx.HTTPError, ValueError) as exc:
            raise AuthUnavailableError(f"signing keys: {type(exc).__name__}") from exc

    def _http(self) -> httpx.Client:
        import httpx

        if self._opened is None or self._opened[0] != os.getpid():
            timeout = httpx.Timeout(self._seconds, connect=min(self._seconds, _CONNECT))
            # Redirects are not followed: the key would go along.
            self._opened = (os.getpid(), httpx.Client(timeout=timeout, follow_redirects=False))
        return self._opened[1]


def _headers(key: str) -> dict[str, str]:
    return {"apikey": key, "Authorization": f"Bearer {key}"}
