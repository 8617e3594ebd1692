"""The outcome of every command in every phase, as data.

Rows are (race, seconds after T0, command, outcome); an outcome is the kinds of the
events, or the code of the refusal.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from game.contest.commands import (
    CancelForfeit,
    CloseEarly,
    Command,
    EndRun,
    Forfeit,
    Join,
    Leave,
    Ready,
    Remove,
    Start,
    Unready,
    apply_command,
)
from game.contest.race import OPEN_FOR, Format, RaceFacts
from game.contest.timed_transitions import next_transition

T0 = datetime(2026, 11, 29, 12, tzinfo=UTC)


def after(seconds: float) -> datetime:
    """That many seconds after the race was created."""
    return T0 + timedelta(seconds=seconds)


def made(**fields: object) -> RaceFacts:
    """A race with Ada, its host, and Bob; three seats."""
    given = {"seats": 3, "time_limit": timedelta(minutes=10), **fields}
    race = RaceFacts("ada", T0, T0 + OPEN_FOR, **given)  # type: ignore[arg-type]
    for name in ("ada", "bob"):
        race, _ = apply_command(race, Join(name, "live"), T0)
    return race


def run_on(race: RaceFacts, at: datetime) -> RaceFacts:
    """The race after all overdue timed transitions."""
    while (step := next_transition(race, at)) is not None:
        race = step.race
    return race


def counting(**fields: object) -> RaceFacts:
    """The race in its countdown, which began at T0."""
    return apply_command(
        apply_command(made(**fields), Ready("bob"), T0).race, Start("ada"), T0
    ).race


def running(**fields: object) -> RaceFacts:
    """The race just after its start (5 s after T0)."""
    return run_on(counting(**fields), after(5))


def half_over() -> RaceFacts:
    """The running race after Bob died at 10 s."""
    return apply_command(running(), EndRun("bob", "died"), after(10)).race


def closed() -> RaceFacts:
    """The race after both died, closed but not settled."""
    race = apply_command(half_over(), EndRun("ada", "died"), after(20)).race
    step = next_transition(race, after(20))
    assert step is not None
    return step.race


def waiting() -> RaceFacts:
    """The running race after Ada died at 10 s."""
    return apply_command(running(), EndRun("ada", "died"), after(10)).race


def forfeited() -> RaceFacts:
    """The running race after Ada's forfeit took effect."""
    return run_on(forfeiting(), after(15))


def three_of_three() -> RaceFacts:
    """The countdown of a race that has a third entrant, Cleo."""
    race = apply_command(made(), Join("cleo", "live"), T0).race
    return apply_command(race, Start("ada"), T0).race


def removed() -> RaceFacts:
    """The race after Ada removed Bob."""
    return apply_command(made(), Remove("ada", 2), T0).race


def settled() -> RaceFacts:
    """The closed race, settled."""
    return run_on(closed(), after(20))


def cancelled() -> RaceFacts:
    """The open race after it expired."""
    return run_on(made(), T0 + OPEN_FOR)


def forfeiting() -> RaceFacts:
    """The running race after Ada's forfeit at 10 s."""
    return apply_command(running(), Forfeit("ada"), after(10)).race


class Row(NamedTuple):
    """One row of the table."""

    make_race: Callable[[], RaceFacts]
    at: float
    command: Command
    outcome: tuple[str, ...] | str


WRONG = "race.wrong_phase"
JOIN, LEAVE = Join("cleo", "live"), Leave("bob")
REMOVE, CLOSE = Remove("ada", 2), CloseEarly("ada", {2: after(10)})
HOUR = OPEN_FOR.total_seconds()
TABLE = (
    Row(made, 0, JOIN, ("joined",)),
    Row(made, 0, Join("bob", "live"), "race.already_joined"),
    Row(made, HOUR - 1, JOIN, ("joined",)),
    Row(made, HOUR, JOIN, WRONG),
    Row(made, 0, LEAVE, ("left",)),
    Row(made, 0, Leave("ada"), ("left",)),
    Row(made, 0, Leave("cleo"), "race.not_entrant"),
    Row(made, 0, REMOVE, ("left",)),
    Row(made, 0, Remove("bob", 1), "race.not_host"),
    Row(made, 0, Remove("cleo", 1), "race.not_entrant"),
    Row(made, 0, Remove("ada", 1), "race.remove_self"),
    Row(made, 0, Remove("ada", 3), "race.seat_empty"),
    Row(removed, 0, REMOVE, "race.seat_empty"),
    Row(removed, 0, Join("bob", "live"), "race.removed"),
    Row(removed, 0, JOIN, ("joined",)),
    Row(made, 0, CLOSE, WRONG),
    Row(made, 0, Ready("ada"), ("readied",)),
    Row(made, 0, Ready("cleo"), "race.not_entrant"),
    Row(made, 0, Unready("ada"), ()),
    Row(made, 0, Start("ada"), ("countdown_begun",)),
    Row(made, 0, Start("bob"), "race.not_host"),
    Row(made, 0, Start("cleo"), "race.not_entrant"),
    Row(made, HOUR, Start("ada"), WRONG),
    Row(made, 0, Forfeit("ada"), WRONG),
    Row(made, 0, CancelForfeit("ada"), WRONG),
    Row(made, 0, EndRun("ada", "died"), WRONG),
    Row(counting, 1, JOIN, WRONG),
    Row(counting, 1, LEAVE, ("left", "cancelled")),
    Row(counting, 4.999, LEAVE, ("left", "cancelled")),
    Row(three_of_three, 1, LEAVE, ("left",)),
    Row(counting, 5, LEAVE, WRONG),
    Row(counting, 1, REMOVE, WRONG),
    Row(counting, 1, CLOSE, WRONG),
    Row(counting, 1, Ready("ada"), WRONG),
    Row(counting, 1, Unready("bob"), WRONG),
    Row(counting, 1, Start("ada"), ()),
    Row(counting, 1, Start("bob"), WRONG),
    Row(counting, 1, Forfeit("ada"), WRONG),
    Row(counting, 1, EndRun("ada", "died"), WRONG),
    Row(running, 6, JOIN, WRONG),
    Row(running, 6, LEAVE, WRONG),
    Row(running, 6, REMOVE, WRONG),
    Row(running, 99, CLOSE, "race.close_unfinished"),
    Row(running, 99, CloseEarly("cleo", {}), "race.not_entrant"),
    Row(waiting, 69.999, CLOSE, "race.close_not_gone"),
    Row(waiting, 70, CLOSE, ("closed_early", "ended")),
    Row(waiting, 99, CloseEarly("ada", {2: None}), "race.close_not_gone"),
    Row(waiting, 99, CloseEarly("bob", {}), "race.close_unfinished"),
    Row(running, 6, Ready("ada"), WRONG),
    Row(running, 6, Start("ada"), WRONG),
    Row(running, 6, Forfeit("ada"), ("forfeiting",)),
    Row(running, 6, Forfeit("cleo"), "race.not_entrant"),
    Row(running, 6, CancelForfeit("ada"), ()),
    Row(running, 6, EndRun("ada", "cleared"), ("moved",)),
    Row(running, 604.999, EndRun("ada", "cleared"), ("moved",)),
    Row(running, 605, EndRun("ada", "cleared"), WRONG),
    Row(running, 605, Forfeit("ada"), WRONG),
    Row(forfeiting, 14.999, CancelForfeit("ada"), ("forfeit_taken_back",)),
    Row(forfeiting, 15, CancelForfeit("ada"), "race.take_back_too_late"),
    Row(forfeiting, 11, Forfeit("ada"), ()),
    Row(half_over, 11, EndRun("bob", "died"), "race.already_over"),
    Row(half_over, 11, Forfeit("bob"), "race.already_over"),
    Row(half_over, 11, EndRun("ada", "died"), ("moved",)),
    Row(closed, 21, JOIN, WRONG),
    Row(closed, 99, CLOSE, WRONG),
    Row(closed, 21, Forfeit("ada"), WRONG),
    Row(closed, 21, EndRun("ada", "died"), WRONG),
    Row(settled, 22, LEAVE, WRONG),
    Row(settled, 22, Start("ada"), WRONG),
    Row(cancelled, HOUR, JOIN, WRONG),
    Row(cancelled, HOUR, Start("ada"), WRONG),
    Row(cancelled, HOUR, LEAVE, WRONG),
)

# A race, seconds after T0, and its phase then.
PHASES = (
    (made, 0, "open"),
    (made, HOUR - 0.001, "open"),
    (made, HOUR, "cancelled"),
    (counting, 0, "countdown"),
    (counting, 4.999, "countdown"),
    (counting, 5, "running"),
    (counting, 604.999, "running"),
    (counting, 605, "closed"),
    (running, 6, "running"),
    (running, 605, "closed"),
    (half_over, 604.999, "running"),
    (half_over, 605, "closed"),
    (closed, 20, "closed"),
    (settled, 20, "settled"),
    (cancelled, HOUR, "cancelled"),
)
SPEED = Format.SPEED
