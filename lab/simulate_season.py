"""Write a season of invented entries whose truth is known into a database.

    .venv/bin/python lab/simulate_season.py --entries 5000 --seed 7 [--season NAME] [--database URL]

Runs, steps, model calls, proposals, decisions and audits, as an office would have left them behind; there are no
files, so that pages of the entries cannot be shown. Without --season they go into a new one, which becomes the
current one of a database that has none. Ends with 1 where they do not fit, as when the same seed was written
before.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psycopg

from core.config import get_settings
from core.database import Database
from lab.simulation.plan import Plan
from lab.simulation.simulate import simulate
from lab.simulation.write import season_named, write
from services.stats.counts import recompute_counts


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, draw and write."""
    options = _parser().parse_args(arguments)
    url = options.database or get_settings().database_url
    if not url:
        print("--database or DATABASE_URL must say where", file=sys.stderr)
        return 2
    plan = Plan(
        seed=options.seed,
        entries=options.entries,
        precision=options.precision,
        threshold=options.threshold,
        audit_share=options.audit_share,
        weeks=options.weeks,
    )
    season = simulate(plan)
    with psycopg.connect(url) as connection:
        season_id = season_named(connection, options.season) if options.season else None
        if options.season and season_id is None:
            print(f"there is no season “{options.season}”", file=sys.stderr)
            return 1
        try:
            written = write(connection, season, season_id)
        except psycopg.errors.IntegrityError as exc:
            print(f"it does not fit: {exc.diag.message_primary}", file=sys.stderr)
            return 1
    counts = Database(url)
    recompute_counts(counts)
    counts.dispose()
    for table, number in written.items():
        print(f"{table:<26} {number:>9,}")
    print(f"true precision of those that passed unseen: {season.precision():.4f}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Write a season of invented entries into a database.")
    parser.add_argument("--database", help="URL of the database; without it DATABASE_URL")
    parser.add_argument("--season", help="name of a season there is; without it a new one")
    parser.add_argument("--entries", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--precision", type=float, default=0.985, help="expected share right of those unseen")
    parser.add_argument("--threshold", type=float, default=0.9)
    parser.add_argument("--audit-share", type=float, default=0.05)
    parser.add_argument("--weeks", type=int, default=12)
    return parser


if __name__ == "__main__":
    sys.exit(main())
