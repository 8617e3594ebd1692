"""Demo data for trying the site and for screenshots: `manage.py seed_demo`.

Everything is derived from the given seed and time. The reference players play the runs
move by move, so that every invariant holds for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from game.analysis.players import SeededRandom
from game.models import Account, Dungeon, Run
from game.rules import DEFAULT_RULESET, RULESETS, find_ruleset
from game.services.accounts.names import name_check_free
from game.services.core.errors import ServiceRefusal
from game.services.demo.runs import Manner, demo_run
from game.services.runs.dungeons import dungeon_create

MAIL = "demo.invalid"  # a reserved domain
DAYS = 60
PEOPLE = (
    *("Ada Quill", "Marlowe", "Brynja", "Old Tom", "Nettle", "Kestrel", "Ines Moreau"),
    *(
        "Jonah Pike",
        "Sparrow",
        "Tilda",
        "Ravi K",
        "Mo Vane",
        "Hollis",
        "Yuki",
        "Weaver",
    ),
    *(
        "Анна",
        "さくら",
        "Étienne",
        "Björk",
        "Odile",
        "Finch",
        "Thorn",
        "Ludo",
        "Pascale",
    ),
    *("Grim Harriet", "Ike", "Salt", "Umber", "Wren"),
)
BOTS = ("greedy-hands", "dice-roller", "ten-futures", "cellar-bot", "cardmill")
GUESTS = 6


@dataclass(frozen=True, slots=True)
class World:
    """How many accounts and runs were created."""

    accounts: int
    runs: int


def demo_seed(
    *, seed: str, at: datetime, runs: int = 300, password: str | None = None
) -> World | None:
    """Create the demo data; None if it already exists.

    `password`, if given, is that of the first account, so that one can sign in.
    """
    if Account.objects.filter(email__endswith=f"@{MAIL}").exists():
        return None
    rng = SeededRandom(f"demo {seed}")
    with transaction.atomic():
        accounts = list(_accounts(rng, at, password))
        for number in range(runs):
            account = accounts[_skewed_index(rng, len(accounts))]
            _run(account, f"demo {seed} {number}", rng, at)
    return World(len(accounts), runs)


def _skewed_index(rng: SeededRandom, count: int) -> int:
    """A random index below `count`; low ones are more likely."""
    return min(rng.below(count), rng.below(count))


def _accounts(
    rng: SeededRandom, at: datetime, password: str | None
) -> Iterator[Account]:
    for number, name in enumerate((*PEOPLE, *BOTS)):
        since = at - timedelta(days=DAYS + rng.below(300), hours=rng.below(24))
        account = Account(
            name=_free(name, at),
            email=f"{number}@{MAIL}",
            is_bot=name in BOTS,
            created_at=since,
            seen_at=at - timedelta(hours=rng.below(100)),
        )
        account.set_password(password if number == 0 else None)
        account.save(force_insert=True)
        yield account
    for _ in range(GUESTS):
        since = at - timedelta(days=rng.below(20), minutes=rng.below(1440))
        guest = Account(
            name=_free(f"Stray Lantern {1000 + rng.below(9000)}", at),
            is_guest=True,
            created_at=since,
            seen_at=since,
        )
        guest.set_unusable_password()
        guest.save(force_insert=True)
        yield guest


def _free(name: str, at: datetime) -> str:
    """The name, with a number appended if another account has it."""
    wanted, number = name, 1
    while True:
        try:
            name_check_free(wanted, at=at)
        except ServiceRefusal:
            number += 1
            wanted = f"{name[:16]} {number}"
        else:
            return wanted


def _run(account: Account, seed: str, rng: SeededRandom, at: datetime) -> None:
    """Create one finished run at a random time."""
    keys = (DEFAULT_RULESET, DEFAULT_RULESET, *RULESETS)
    rules = find_ruleset(keys[rng.below(len(keys))])
    levels = ("normal", "normal", *(level.key for level in rules.difficulties))
    difficulty = levels[rng.below(len(levels))]
    began = _random_start(account, rng, at)
    dungeon = dungeon_create(
        ruleset=rules.key, origin=Dungeon.Origin.PRACTICE, at=began, seed=seed
    )
    run = demo_run(
        account,
        dungeon,
        difficulty=difficulty,
        began=began,
        manner=Manner(SeededRandom(seed), rng),
        kind=Run.Kind.PRACTICE,
    )
    # Recorded as a secret seed, because no player chose it.
    dungeon.seed_given, dungeon.revealed_at = False, run.finished_at
    dungeon.save(update_fields=["seed_given", "revealed_at"])


def _random_start(account: Account, rng: SeededRandom, at: datetime) -> datetime:
    """A random start time, more often recent, never before the account was created."""
    back = min(rng.below(DAYS * 1440), rng.below(DAYS * 1440)) + 30
    return max(at - timedelta(minutes=back), account.created_at)
