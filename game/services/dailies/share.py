"""What a player can share of a daily: a text, and the content of an image.

Neither contains a card: each room is a mark of how it went, so nothing is revealed to
people who have not played the day yet.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from game.contest.calendar import day_number
from game.models import Account, Daily, Move, Run
from game.rules import find_ruleset, steps
from game.selectors.dailies import schemas
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.dailies.attempts import daily_run_find
from game.services.dailies.publish import daily_find
from game.services.runs.dungeons import dungeon_deck

UNHARMED, HURT, HARD, AVOIDED, DIED = "·", "▪", "◆", "○", "✕"
MARKS = {
    UNHARMED: "a room without a scratch",
    HURT: "a room that cost up to 6",
    HARD: "a room that cost 7 or more",
    AVOIDED: "a room avoided",
    DIED: "the room it ended in",
}
_ENDS = {
    Run.Status.CLEARED: "Cleared",
    Run.Status.DIED: "Died",
    Run.Status.ABANDONED: "Gave up",
    Run.Status.EXPIRED: "Ran out of time",
}


class Share(NamedTuple):
    """The content of a share: of a daily, or (with a player) of an attempt at it."""

    on: date
    ruleset: str
    name: str
    number: int
    player: str | None = None
    status: str | None = None
    words: str | None = None
    score: int | None = None
    marks: str = ""


def share_json(
    *, account: Account, on: date, ruleset: str, at: datetime
) -> schemas.Share:
    """The text of the account's own attempt, and the paths of its image and page.

    Raises daily.not_found, daily.attempt_first until it is over.
    """
    daily = daily_find(on=on, ruleset=ruleset, at=at)
    attempt = daily_run_find(account.id, daily.id)
    if attempt is None or attempt.status == Run.Status.PLAYING:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "daily.attempt_first",
            "You can share your attempt once it is over.",
        )
    share = _share_of_run(daily, attempt)
    query = f"?ruleset={ruleset}&run={attempt.id}"
    return {
        "text": share_text(share),
        "path": f"/daily/{on.isoformat()}{query}",
        "picture": f"/api/v1/dailies/{on.isoformat()}/share.png{query}",
        "marks": [
            {"mark": mark, "words": words}
            for mark, words in MARKS.items()
            if mark in share.marks
        ],
    }


def share_text(share: Share) -> str:
    """The text without spoilers: day, ruleset, score, rooms as marks."""
    return (
        f"Scoundrel daily {share.number} ({share.on.isoformat()}, {share.name})\n"
        f"{share.words} {score_words(share.score)}\n"
        f"{share.marks}"
    )


def score_words(score: int | None) -> str:
    """A score with its sign; the minus is U+2212."""
    return "" if score is None else f"{score:+d}".replace("-", "\N{MINUS SIGN}")


def share_find(*, on: date, ruleset: str, run_id: str | None, at: datetime) -> Share:
    """The content of an image: of a daily, or with `run_id` of an attempt that is over.

    Everybody who has the id of a run may see this. Raises daily.not_found,
    run.not_found.
    """
    daily = daily_find(on=on, ruleset=ruleset, at=at)
    if run_id is None:
        return _share_of_daily(daily)
    run = (
        Run.objects.select_related("account", "dungeon")
        .filter(id=run_id, daily=daily, kind=Run.Kind.DAILY)
        .exclude(status=Run.Status.PLAYING)
        .first()
    )
    if run is None:
        raise not_found("run")
    return _share_of_run(daily, run)


def _share_of_daily(daily: Daily) -> Share:
    name = find_ruleset(daily.ruleset).name
    return Share(daily.on, daily.ruleset, name, day_number(daily.on))


def _share_of_run(daily: Daily, run: Run) -> Share:
    return _share_of_daily(daily)._replace(
        player=run.account.name,
        status=run.status,
        words=_ENDS.get(Run.Status(run.status), "Ended"),
        score=run.score,
        marks="".join(_marks(run)),
    )


def _marks(run: Run) -> Iterator[str]:
    """One mark a room, in the order they were entered."""
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    moves = Move.objects.filter(run=run).order_by("index")
    codes = list(moves.values_list("code", flat=True))
    cost, faced = 0, False
    for step in steps(find_ruleset(run.ruleset), deck, codes, run.difficulty):
        kinds = {effect.kind for effect in step.effects}
        cost += sum(effect.damage for effect in step.effects if effect.kind == "fought")
        faced = True
        if "died" in kinds:
            yield DIED
            return
        if "avoided" in kinds:
            yield AVOIDED
            cost, faced = 0, False
        elif "dealt" in kinds or "cleared" in kinds:
            yield UNHARMED if cost == 0 else HURT if cost <= 6 else HARD
            cost, faced = 0, False
    if run.status != Run.Status.CLEARED and faced:
        yield DIED
