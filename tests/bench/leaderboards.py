"""Latency of leaderboard reads at 10,000, 100,000 and 1,000,000 entries.

    python -m tests.bench.leaderboards

Calls `game.selectors.boards.entries` over one connection on a PostgreSQL that this
program starts; all entries are on one board. Prints p50 and p99 of each read in
milliseconds, and the ratio of the largest board to the smallest, from the fastest
rounds. Checks that ranks are correct.
"""

import os
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

SIZES = (10_000, 100_000, 1_000_000)
READS, ROUNDS = 150, 9
# Scores shaped like real play: a quarter cleared 1..20, the rest deaths about -60.
_ACCOUNTS = """
insert into game_account (id, password, is_superuser, name, name_key, name_skeleton,
    is_guest, is_bot, is_staff, is_active, staff_role,
    standing_rev, preferences)
select lpad(g::text, 16, '0'), '', false, 'Player ' || g, 'player ' || g,
    'player ' || g, false, false, false, true, '', 0, '{}'
from generate_series(1, %s) g
"""
_ENTRIES = """
insert into game_boardentry (board_id, account_id, run_id, "order", ms, number, cleared)
select %s, lpad(g::text, 16, '0'), null, -(2 * s.score + (s.score > 0)::int),
    (60000 + random() * 840000)::int, s.score, s.score > 0
from generate_series(1, %s) g, lateral (select case when random() < .25
    then 1 + floor(random() * 20)::int + g * 0
    else greatest(-188, least(0, (-60 + 35 * (random() + random() + random() - 1.5)
        * 1.6)::int)) end as score) s
"""
_BUCKETS = """
insert into game_boardbucket (board_id, slot, "order", n)
select board_id, slot, "order", count(*) from (
    select board_id, -1 as slot, "order" from game_boardentry
    union all select board_id, ms / 10000, "order" from game_boardentry
) b group by 1, 2, 3
"""


def percentile(values: list[float], part: float) -> float:
    """The value that this part (0 to 1) of the values does not exceed."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(part * len(ranked)))]


def measure(
    read: Callable[[Any], Any], keysets: list[Any]
) -> tuple[float, float, float]:
    """The fastest round's median, the median of medians, p99 of all, in ms."""
    medians, all_times = [], []
    for _ in range(ROUNDS):
        times = []
        for keyset in keysets:
            started = time.perf_counter()
            read(keyset)
            times.append((time.perf_counter() - started) * 1000)
        medians.append(statistics.median(times))
        all_times += times
    return min(medians), statistics.median(medians), percentile(all_times, 0.99)


def fill(size: int) -> int:
    """Make a board with that many entries; returns its id."""
    from django.db import connection  # noqa: PLC0415 - after the settings

    from game.services.boards.entries import board_get_or_create  # noqa: PLC0415
    from tests.fixtures.audit import without_chain_triggers  # noqa: PLC0415

    with connection.cursor() as cursor:
        # The cascade reaches the audit log, whose triggers refuse it.
        with without_chain_triggers():
            for table in ("boardentry", "boardbucket", "leaderboard", "account"):
                cursor.execute(f"truncate game_{table} cascade")
        board = board_get_or_create(
            "daily", "people", ruleset="tavern-1", span="2026-11-29"
        )
        cursor.execute("select setseed(.42)")
        cursor.execute(_ACCOUNTS, (size,))
        cursor.execute(_ENTRIES, (board.id, size))
        cursor.execute(_BUCKETS)
        for table in ("boardentry", "boardbucket", "account"):
            cursor.execute(f"vacuum analyze game_{table}")
    return board.id


def select_one() -> None:
    """Run the cheapest statement, to measure a round trip."""
    from django.db import connection  # noqa: PLC0415 - after the settings

    with connection.cursor() as cursor:
        cursor.execute("select 1")
        cursor.fetchone()


def rounds(size: int) -> dict[str, tuple[float, float, float]]:
    """Measure each read on a board of that size."""
    from game.models import BoardBucket, BoardEntry  # noqa: PLC0415
    from game.selectors.boards import entries  # noqa: PLC0415

    board = fill(size)
    ids = list(BoardEntry.objects.values_list("id", flat=True).order_by("id"))
    chosen = random.Random(7).sample(ids, READS)
    rows = BoardEntry.objects.filter(id__in=chosen).values_list("order", "ms", "id")
    at = [entries.Keyset(*row) for row in rows]
    for keyset in at[:20]:
        ahead = BoardEntry.objects.extra(
            where=['("order", ms) < (%s, %s)'], params=[keyset.order, keyset.ms]
        ).count()
        assert entries.rank_of(board, keyset) == ahead + 1

    def around(keyset: entries.Keyset) -> None:
        entries.page_before(board, keyset, 5)
        entries.page_after(board, keyset, 5)
        entries.rank_of(board, keyset)

    print(f"== {size:,} entries, {BoardBucket.objects.count():,} buckets", flush=True)
    found = {
        "select 1 (a round trip)": measure(lambda _: select_one(), at),
        "first page of 50": measure(lambda _: entries.page_after(board, None, 50), at),
        "page of 50, anywhere": measure(
            lambda keyset: entries.page_after(board, keyset, 50), at
        ),
        "rank": measure(lambda keyset: entries.rank_of(board, keyset), at),
        "5 above, 5 below and rank": measure(around, at),
        "own line": measure(
            lambda keyset: entries.own_line(board, f"{keyset.id:016}"), at
        ),
        "curve and total": measure(lambda _: entries.orders_of(board), at),
    }
    for name, (best, p50, p99) in found.items():
        print(f"{name:28s} p50 {p50:7.3f} (fastest round {best:.3f}) p99 {p99:7.3f}")
    return found


def main() -> None:
    """Measure all sizes."""
    from tests.servers import servers  # noqa: PLC0415 - starts nothing by itself

    with servers(with_database=True, with_redis=False, durable=True) as environ:
        os.environ.update(environ)
        os.environ["DJANGO_SETTINGS_MODULE"] = "scoundrel_site.settings.test"
        import django  # noqa: PLC0415

        django.setup()
        from django.core.management import call_command  # noqa: PLC0415
        from django.db import connection  # noqa: PLC0415

        call_command("migrate", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute("set statement_timeout = 0")
        small, *_, large = (rounds(size) for size in SIZES)
        for name, (best, *_) in large.items():
            print(f"{name:28s} {best / small[name][0]:5.2f} times that of 10,000")
        connection.close()


if __name__ == "__main__":
    main()
