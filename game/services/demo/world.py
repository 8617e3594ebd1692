"""A small lively world for trying the site and for pictures: `manage.py seed_demo`.

Everything follows from the seed and the moment given. Runs are played by the house's
players, move by move, and kept like anybody's, so every invariant holds of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from game.analysis.players import SeededRandom
from game.models import Account, Dungeon, Run
from game.rules import DEFAULT_RULESET, RULESETS, find_ruleset
from game.services.accounts.names import name_free
from game.services.core.errors import ServiceRefusal
from game.services.demo.runs import Manner, demo_run
from game.services.runs.dungeons import dungeon_draw

MAIL = "demo.invalid"  # a domain that can never be anybody's
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
    """What was made."""

    accounts: int
    runs: int


def demo_seed(
    *, seed: str, at: datetime, runs: int = 300, password: str | None = None
) -> World | None:
    """Make the world; None where it is there already.

    `password`, if given, is the first person's, so that somebody can sign in.
    """
    if Account.objects.filter(email__endswith=f"@{MAIL}").exists():
        return None
    chance = SeededRandom(f"demo {seed}")
    with transaction.atomic():
        accounts = list(_accounts(chance, at, password))
        for number in range(runs):
            account = accounts[_favoured(chance, len(accounts))]
            _run(account, f"demo {seed} {number}", chance, at)
    return World(len(accounts), runs)


def _favoured(chance: SeededRandom, count: int) -> int:
    """The first are here more often than the last."""
    return min(chance.below(count), chance.below(count))


def _accounts(
    chance: SeededRandom, at: datetime, password: str | None
) -> Iterator[Account]:
    for number, name in enumerate((*PEOPLE, *BOTS)):
        since = at - timedelta(days=DAYS + chance.below(300), hours=chance.below(24))
        account = Account(
            name=_free(name, at),
            email=f"{number}@{MAIL}",
            is_bot=name in BOTS,
            created_at=since,
            seen_at=at - timedelta(hours=chance.below(100)),
        )
        account.set_password(password if number == 0 else None)
        account.save(force_insert=True)
        yield account
    for _ in range(GUESTS):
        since = at - timedelta(days=chance.below(20), minutes=chance.below(1440))
        guest = Account(
            name=_free(f"Stray Lantern {1000 + chance.below(9000)}", at),
            is_guest=True,
            created_at=since,
            seen_at=since,
        )
        guest.set_unusable_password()
        guest.save(force_insert=True)
        yield guest


def _free(name: str, at: datetime) -> str:
    """The name, or the name with a number where somebody real has it."""
    wanted, number = name, 1
    while True:
        try:
            name_free(wanted, at=at)
        except ServiceRefusal:
            number += 1
            wanted = f"{name[:16]} {number}"
        else:
            return wanted


def _run(account: Account, seed: str, chance: SeededRandom, at: datetime) -> None:
    """One run that is over, some time in the last weeks."""
    keys = (DEFAULT_RULESET, DEFAULT_RULESET, *RULESETS)
    rules = find_ruleset(keys[chance.below(len(keys))])
    levels = ("normal", "normal", *(level.key for level in rules.difficulties))
    difficulty = levels[chance.below(len(levels))]
    began = _moment(account, chance, at)
    dungeon = dungeon_draw(
        ruleset=rules.key, origin=Dungeon.Origin.PRACTICE, at=began, seed=seed
    )
    run = demo_run(
        account,
        dungeon,
        difficulty=difficulty,
        began=began,
        manner=Manner(SeededRandom(seed), chance),
        kind=Run.Kind.PRACTICE,
    )
    # As if drawn in secret: nobody chose the seeds of this world.
    dungeon.seed_given, dungeon.revealed_at = False, run.finished_at
    dungeon.save(update_fields=["seed_given", "revealed_at"])


def _moment(account: Account, chance: SeededRandom, at: datetime) -> datetime:
    """More often lately than long ago, and never before the account."""
    back = min(chance.below(DAYS * 1440), chance.below(DAYS * 1440)) + 30
    return max(at - timedelta(minutes=back), account.created_at)
