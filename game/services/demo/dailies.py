"""Past dailies of the demo data, played and settled, and attempts at today's.

Their masters are derived from the demo's seed, so they are not secret: use this only to
try the site. Existing days are not changed.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from hashlib import sha256

from django.db import transaction

from game.analysis.players import SeededRandom
from game.contest.calendar import daily_window, day_of
from game.models import Account, Daily, Run
from game.rules import DEFAULT_RULESET
from game.services.dailies.commitment_jobs import commitments_add_settled
from game.services.dailies.publish import (
    dailies_add,
    daily_build,
    daily_choose_winnable,
    daily_find,
)
from game.services.dailies.settle import daily_settle
from game.services.demo.runs import Manner, demo_run
from game.services.demo.world import MAIL

DAYS = 21
# The longest demo run: at most 58 moves of at most 6.9 s.
_LONGEST = timedelta(minutes=7)
_DRAWN_BEFORE = timedelta(days=30)


def demo_dailies(*, seed: str, at: datetime, days: int = DAYS) -> int:
    """Create this many settled days, and play today's; how many days were created."""
    people = list(Account.objects.filter(email__endswith=f"@{MAIL}").order_by("email"))
    guests = list(Account.objects.filter(is_guest=True, seen_at__lte=at)[:6])
    today, created = day_of(at), 0
    for back in range(days, 0, -1):
        on = today - timedelta(days=back)
        if not Daily.objects.filter(on=on, ruleset=DEFAULT_RULESET).exists():
            _past_day(on, people, SeededRandom(f"daily {seed} {on}"), seed, at)
            created += 1
    daily = daily_find(on=today, ruleset=DEFAULT_RULESET, at=at)
    # The first person does not play, so that someone signed in as them can play today.
    players = [*people[1:], *guests]
    if at - daily.opens_at > _LONGEST and not Run.objects.filter(daily=daily).exists():
        _play_day(daily, players, SeededRandom(f"daily {seed} {today}"), at - _LONGEST)
    commitments_add_settled(at=at)
    return created


@transaction.atomic
def _past_day(
    on: date, people: Sequence[Account], rng: SeededRandom, seed: str, at: datetime
) -> None:
    times = daily_window(on)
    master = sha256(f"demo {seed} {on}".encode()).hexdigest()
    daily = daily_build(
        on, DEFAULT_RULESET, at=times.opens_at - _DRAWN_BEFORE, master=master
    )
    dailies_add([daily], at=at)
    daily_choose_winnable(daily.id, at=times.opens_at - timedelta(minutes=10))
    daily.refresh_from_db()
    _play_day(daily, people, rng, times.closes_at)
    if times.settles_at <= at:  # yesterday's is not due in the first minutes of a day
        daily_settle(daily.id, at=times.settles_at)


def _play_day(
    daily: Daily, players: Sequence[Account], rng: SeededRandom, until: datetime
) -> None:
    """Let most of the players play it, at random times."""
    assert daily.dungeon is not None
    span_ms = max(1, (until - daily.opens_at) // timedelta(milliseconds=1))
    for number, account in enumerate(players):
        # The first players play nearly every day, the last ones seldom.
        if rng.below(100) > 97 - 2 * number or account.created_at > daily.opens_at:
            continue
        demo_run(
            account,
            daily.dungeon,
            difficulty=daily.difficulty,
            began=daily.opens_at + timedelta(milliseconds=rng.below(span_ms)),
            manner=Manner(rng, rng, slips=4 + rng.below(24)),
            kind=Run.Kind.DAILY,
            daily=daily,
            ranked=not account.is_guest,
            deadline_at=daily_window(daily.on).ends_at,
        )
