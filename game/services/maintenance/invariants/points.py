"""I20: points from races are those that the settled races of each day give."""

from collections.abc import Iterator
from datetime import date

from game.models import PointsLine
from game.services.boards.race_points import lines_due, lines_stored
from game.services.maintenance.invariants.breach import Breach


def breaches() -> Iterator[Breach]:
    """Every breach in the points of races."""
    days = PointsLine.objects.order_by("on", "ruleset").values_list("on", "ruleset")
    for on, ruleset in days.distinct():
        yield from _day(ruleset, on)


def _day(ruleset: str, on: date) -> Iterator[Breach]:
    due = {
        (line.source, line.account_id): line.points
        for line in lines_due(ruleset=ruleset, on=on)
    }
    stored = {
        (line.source, line.account_id): line.points
        for line in lines_stored(ruleset=ruleset, on=on)
    }
    awarded = {race_id for race_id, _ in stored}
    # The tick awards a race a little after it is settled; its players' other points of
    # the day can change with it.
    waiting = {account for race_id, account in due if race_id not in awarded}
    for race_id, account in sorted(due.keys() | stored.keys()):
        if account in waiting:
            continue
        awarded_points, wanted = (
            stored.get((race_id, account)),
            due.get((race_id, account)),
        )
        if awarded_points != wanted:
            text = f"gives {account} {awarded_points} points instead of {wanted}"
            yield Breach("I20", f"race {race_id}", text)
