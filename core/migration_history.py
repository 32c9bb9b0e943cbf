"""Checksums of earlier texts of edited migrations. Databases made with them are accepted; 015 corrects them."""

from __future__ import annotations

#: SHA-256 of each earlier text, by version. Complete: since a migration on main never changes, none is added.
EARLIER_CHECKSUMS: dict[str, frozenset[str]] = {
    "006": frozenset({"98d29a7d73553b94c9f82645a6aa35a2f48f9ca48afaec58a83da2e18d38d593"}),
    "013": frozenset(
        {
            "7beba0ed9bafbc5fb69f49040cac416ea084b87ce127af66364ad745997c1db4",
            "fa0ae0f022dbd77f97103ebfb69efa2302f967ee1fb58107fef204688a3998a0",
            "beafbbdd7d706ba8573e43aa51742ecf3e94e89b212d32a4e7687f103783115a",
            "24e9b551f9595bd95c7e089cd229314a58b62510d25a2ba032a2e59fab9c71e4",
        }
    ),
    "014": frozenset({"6a661e3c12f2d74a52107108b2f53552da290e5f7587d6c5896c6b812e6b0e67"}),
}
