"""Commands and timed transitions in full: every refusal, event and changed field."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

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
from game.contest.errors import RaceRefusal
from game.contest.events import Event, EventKind
from game.contest.race import (
    OPEN_FOR,
    EntrantFacts,
    EntrantKind,
    Format,
    RaceFacts,
    RacePhase,
    next_due_at,
    race_phase,
    truncate_to_ms,
)
from game.contest.removal import remove_entrants
from game.contest.timed_transitions import is_overdue, next_transition
from tests.contest.race_table import (
    T0,
    after,
    closed,
    counting,
    forfeited,
    forfeiting,
    half_over,
    made,
    removed,
    running,
    waiting,
)


def _full() -> RaceFacts:
    return apply_command(made(), Join("cleo", "live"), T0).race


def _rated() -> RaceFacts:
    return made(rated=True)


def _three_chose_each_other() -> RaceFacts:
    race = apply_command(_rated(), Join("cleo", "live"), T0).race
    race = apply_command(race, Ready("bob"), T0).race
    return apply_command(race, Ready("cleo"), T0).race


def _speed() -> RaceFacts:
    return apply_command(
        running(format=Format.SPEED), EndRun("ada", "died"), after(10)
    ).race


def _invited() -> RaceFacts:
    """A rematch that Ada called; Bob and Cleo have not answered."""
    race = RaceFacts("ada", T0, T0 + OPEN_FOR, seats=3)
    for name in ("ada", "bob", "cleo"):
        race = apply_command(race, Join(name, is_invited=name != "ada"), T0).race
    return race


def _alone() -> RaceFacts:
    return apply_command(made(), Leave("bob"), T0).race


WRONG = "race.wrong_phase"
REFUSALS: tuple[
    tuple[Callable[[], RaceFacts], float, Command, str, dict[str, Any]], ...
] = (
    (made, 0, Join("bob", "live"), "race.already_joined", {}),
    (_full, 0, Join("dora", "live"), "race.full", {"seats": 3}),
    (_rated, 0, Join("cleo"), "race.rated_needs_account", {}),
    (_rated, 0, Join("cleo", "bot"), "race.rated_one_pool", {}),
    (removed, 0, Join("bob", "live"), "race.removed", {}),
    (made, 0, Remove("ada", 9), "race.seat_empty", {}),
    (made, 0, Remove("ada", 1), "race.remove_self", {}),
    (_speed, 99, CloseEarly("ada", {}), "race.close_score_only", {}),
    (forfeited, 99, CloseEarly("ada", {}), "race.close_unfinished", {}),
    (
        *(waiting, 50, CloseEarly("ada", {2: after(9.5)}), "race.close_not_gone"),
        {"seats": [2], "retry_after_s": 20},
    ),
    (
        *(waiting, 50, CloseEarly("ada", {}), "race.close_not_gone"),
        {"seats": [2], "retry_after_s": 60},
    ),
    (made, 0, Leave("cleo"), "race.not_entrant", {}),
    (_alone, 0, Leave("bob"), "race.not_entrant", {}),
    (made, 0, Ready("cleo"), "race.not_entrant", {}),
    (made, 0, Unready("cleo"), "race.not_entrant", {}),
    (made, 0, Start("cleo"), "race.not_entrant", {}),
    (made, 0, Start("bob"), "race.not_host", {}),
    (_alone, 0, Start("ada"), "race.too_few", {"entrants": 1}),
    (_rated, 0, Start("ada"), "race.too_few", {"entrants": 1}),
    (_three_chose_each_other, 0, Start("ada"), "race.rated_two_seats", {"seats": 2}),
    (_three_chose_each_other, 0, Ready("ada"), "race.rated_two_seats", {"seats": 2}),
    (running, 6, Forfeit("cleo"), "race.not_entrant", {}),
    (running, 6, CancelForfeit("cleo"), "race.not_entrant", {}),
    (running, 6, EndRun("cleo", "died"), "race.not_entrant", {}),
    (half_over, 11, Forfeit("bob"), "race.already_over", {}),
    (half_over, 11, CancelForfeit("bob"), "race.already_over", {}),
    (half_over, 11, EndRun("bob", "died"), "race.already_over", {}),
    (forfeiting, 15, CancelForfeit("ada"), "race.take_back_too_late", {}),
    *(
        (running, 6, command, WRONG, {"phase": "running", "allowed": ["open"]})
        for command in (
            *(Join("cleo", "live"), Ready("ada"), Unready("ada")),
            *(Start("ada"), Start("bob")),
        )
    ),
    (
        *(running, 6, Leave("bob"), WRONG),
        {"phase": "running", "allowed": ["open", "countdown"]},
    ),
    *(
        (made, 0, command, WRONG, {"phase": "open", "allowed": ["running"]})
        for command in (Forfeit("ada"), CancelForfeit("ada"), EndRun("ada", "died"))
    ),
    (
        *(counting, 1, Start("bob"), WRONG),
        {"phase": "countdown", "allowed": ["open"]},
    ),
)
SENTENCES = {
    "race.already_joined": "You are in this race already.",
    "race.full": "Every seat of this race is taken.",
    "race.rated_needs_account": "Rated races are for signed-up accounts; guests and"
    " bots can join unrated races.",
    "race.rated_one_pool": "A rated race is either for people or for API bots, not for"
    " both.",
    "race.rated_two_seats": "A rated race that a player creates has two seats. Make it"
    " unrated, or search for a quick match.",
    "race.removed": "The host has removed you from this race. You can watch it.",
    "race.seat_empty": "Nobody has that seat.",
    "race.remove_self": "To give up your own seat, leave.",
    "race.close_score_only": "Only a race for the best score can be closed early. In"
    " this format the first finished run leaves the others three minutes.",
    "race.close_unfinished": "Only a player who has played to the end can close the"
    " race.",
    "race.close_not_gone": "The race can be closed once everybody who still plays has"
    " been gone for a minute.",
    "race.not_entrant": "You are not in this race.",
    "race.not_host": "Only the host can start the race.",
    "race.already_over": "Your run in this race is over.",
    "race.take_back_too_late": "A forfeit can be cancelled for five seconds.",
}


@pytest.mark.parametrize(("stand", "at", "command", "code", "detail"), REFUSALS)
def test_refusal(stand, at: float, command: Command, code: str, detail) -> None:
    race = stand()
    with pytest.raises(RaceRefusal) as refused:
        apply_command(race, command, after(at))
    refusal = refused.value
    assert (refusal.code, refusal.detail) == (code, detail)
    if code == WRONG:
        said = f"This is not possible while the race is {detail['phase']}."
    elif code == "race.too_few":
        rated = "A rated race needs two entrants who are ready."
        said = rated if race.rated else "A race needs two entrants."
    else:
        said = SENTENCES[code]
    assert refusal.text == said


def _seated(race: RaceFacts, account: str) -> EntrantFacts:
    entrant = race.entrant(account)
    assert entrant is not None
    return entrant


@pytest.mark.parametrize("kind", EntrantKind)
def test_join_seats_the_entrant(kind: EntrantKind) -> None:
    done = apply_command(made(), Join("cleo", "live", kind), T0)
    ready = kind is not EntrantKind.PLAYER
    seated = EntrantFacts(
        *("cleo", 3, kind, "live"),
        is_ready=ready,
        joined_at=T0,
        unready_since=None if ready else T0,
    )
    assert done.race == replace(made(), entrants=(*made().entrants, seated))
    state = "ready" if ready else "joined"
    body = {"entrant": {"kind": kind.value, "state": state}}
    assert done.events == (Event(EventKind.JOINED, 3, body),)


def test_join_after_leaving_returns_to_the_same_seat() -> None:
    race = apply_command(made(), Ready("bob"), T0).race
    race = apply_command(race, Leave("bob"), T0).race
    assert _seated(race, "bob").has_left
    assert not _seated(race, "bob").is_ready
    done = apply_command(race, Join("bob", "bot"), T0)
    assert _seated(done.race, "bob") == EntrantFacts(
        "bob", 2, pool="bot", joined_at=T0, unready_since=T0
    )
    body = {"entrant": {"kind": "player", "state": "joined"}}
    assert done.events == (Event(EventKind.JOINED, 2, body),)
    bot = apply_command(race, Join("bob", "", EntrantKind.BOT), T0).race
    assert _seated(bot, "bob").is_ready


def test_ghosts_of_one_account_take_new_seats() -> None:
    race = apply_command(made(seats=5), Join("bob", "", EntrantKind.GHOST), T0).race
    race = apply_command(race, Join("bob", "", EntrantKind.GHOST), T0).race
    kinds = [(one.seat, one.kind.value) for one in race.active]
    assert kinds == [(1, "player"), (2, "player"), (3, "ghost"), (4, "ghost")]


def test_bots_and_ghosts_join_a_rated_race_only_in_its_pool() -> None:
    race = apply_command(_rated(), Join("cleo", "live"), T0).race
    assert len(race.active) == 3


def test_ready_and_unready() -> None:
    readied = apply_command(made(), Ready("bob"), T0)
    assert readied.events == (Event(EventKind.READIED, 2),)
    assert readied.race == made().with_entrant(
        EntrantFacts("bob", 2, pool="live", is_ready=True, joined_at=T0)
    )
    assert apply_command(readied.race, Ready("bob"), T0) == (readied.race, ())
    unreadied = apply_command(readied.race, Unready("bob"), T0)
    assert unreadied == (made(), (Event(EventKind.UNREADIED, 2),))
    assert apply_command(made(), Unready("bob"), T0) == (made(), ())


def test_ready_alone_begins_no_countdown() -> None:
    done = apply_command(_alone(), Ready("ada"), T0)
    assert done.events == (Event(EventKind.READIED, 1),)
    assert done.race.starts_at is None


def test_start_fixes_start_and_deadline() -> None:
    done = apply_command(made(), Start("ada"), after(1.0009))
    assert done.race == replace(made(), starts_at=after(6), deadline_at=after(606))
    assert done.events == (Event(EventKind.COUNTDOWN_BEGUN),)


def test_rated_start_removes_those_not_ready() -> None:
    paired = made(rated=True, is_paired=True)
    race = apply_command(paired, Join("cleo", "live"), T0).race
    race = apply_command(race, Ready("cleo"), T0).race
    done = apply_command(race, Start("ada"), T0)
    left = Event(EventKind.LEFT, 2, {"reason": "not_ready", "host_seat": 1})
    assert done.events == (left, Event(EventKind.COUNTDOWN_BEGUN))
    assert _seated(done.race, "bob").has_left
    unrated = apply_command(replace(race, rated=False), Start("ada"), T0)
    assert len(unrated.race.active) == 3
    all_ready = apply_command(made(rated=True), Ready("bob"), T0).race
    assert apply_command(all_ready, Start("ada"), T0).events == (
        Event(EventKind.COUNTDOWN_BEGUN),
    )


def test_leaving() -> None:
    done = apply_command(made(), Leave("bob"), T0)
    gone = EntrantFacts("bob", 2, pool="live", has_left=True, joined_at=T0)
    assert done.race == made().with_entrant(gone)
    left = {"reason": "left", "host_seat": 1}
    assert done.events == (Event(EventKind.LEFT, 2, left),)
    last = apply_command(done.race, Leave("ada"), after(3))
    assert last.race.cancelled_at == after(3)
    assert last.events == (
        Event(EventKind.LEFT, 1, left),
        Event(EventKind.CANCELLED, None, {"reason": "empty"}),
    )


def test_removal_of_a_seat_without_a_known_host() -> None:
    race = replace(made(), host="nobody", entrants=made().entrants[:1])
    done = remove_entrants(race, frozenset({1, 9}), "elsewhere", after(2))
    assert done.events[0] == Event(EventKind.LEFT, 1, {"reason": "elsewhere"})
    assert done.race.cancelled_at == after(2)
    assert remove_entrants(made(), frozenset(), "x", T0) == (made(), ())


def test_leaving_in_the_countdown_cancels_without_a_second_entrant() -> None:
    done = apply_command(counting(), Leave("bob"), after(1))
    assert done.race.cancelled_at == after(1)
    assert done.events[-1] == Event(EventKind.CANCELLED, None, {"reason": "too_few"})


@pytest.mark.parametrize(
    ("command", "kinds", "host"),
    [
        (Join("bob", "live"), [], "ada"),
        (Ready("bob"), ["readied"], "ada"),
        (Leave("bob"), ["left"], "ada"),
        (Leave("ada"), ["left", "cancelled"], "ada"),
    ],
)
def test_answers_to_a_rematch(command: Command, kinds: list[str], host: str) -> None:
    done = apply_command(_invited(), command, T0)
    assert [event.kind for event in done.events] == kinds
    assert done.race.host == host
    if kinds and kinds[-1] == "cancelled":
        assert done.events[-1].body == {"reason": "withdrawn"}
    if isinstance(command, Join | Ready):
        assert not _seated(done.race, "bob").is_invited
        # Bob has answered, so the race goes on without Ada.
        after_ada = apply_command(done.race, Leave("ada"), T0).race
        assert (after_ada.host, after_ada.cancelled_at) == ("bob", None)
        started = apply_command(done.race, Start("ada"), T0).race
        assert [one.account for one in started.active] == ["ada", "bob"]


def test_early_close_ends_the_runs_that_are_played() -> None:
    done = apply_command(waiting(), CloseEarly("ada", {2: after(10)}), after(80.0009))
    assert done.race.deadline_at == after(80)
    bob = _seated(done.race, "bob")
    assert (bob.status, bob.ended_at) == ("expired", after(80))
    assert done.events == (
        Event(EventKind.CLOSED_EARLY, 1, deadline_at=after(80)),
        Event(EventKind.ENDED, 2, {"state": "no_show"}, at=after(80)),
    )
    assert race_phase(done.race, after(81)) is RacePhase.CLOSED


def test_forfeit_and_its_cancellation() -> None:
    done = apply_command(running(), Forfeit("ada"), after(10.0009))
    assert done.race == running().with_entrant(
        replace(_seated(running(), "ada"), forfeits_at=after(15))
    )
    body = {"until": after(15)}
    assert done.events == (Event(EventKind.FORFEITING, 1, body),)
    assert apply_command(done.race, Forfeit("ada"), after(11)) == (done.race, ())
    back = apply_command(done.race, CancelForfeit("ada"), after(12))
    assert back == (running(), (Event(EventKind.FORFEIT_TAKEN_BACK, 1),))
    assert apply_command(running(), CancelForfeit("ada"), after(6)) == (running(), ())


@pytest.mark.parametrize("status", ["cleared", "died"])
def test_end_of_a_run(status: str) -> None:
    ada = replace(_seated(running(), "ada"), moves=6)
    race = running().with_entrant(ada)
    done = apply_command(race, EndRun("ada", status), after(10))
    ended = replace(ada, status=status, moves=7, ended_at=after(10))
    assert done.race == race.with_entrant(ended)
    body = {"state": status}
    assert done.events == (Event(EventKind.MOVED, 1, body, deadline_at=after(605)),)


# --- timed transitions --------------------------------------------------------


def test_expiry() -> None:
    due = T0 + OPEN_FOR
    assert next_transition(made(), after(3599.999)) is None
    done = next_transition(made(), after(4000))
    assert done is not None
    assert done.race == replace(made(), cancelled_at=due)
    body = {"reason": "expired"}
    assert done.events == (Event(EventKind.CANCELLED, None, body, at=due),)


def test_start_gives_a_run_to_those_who_stayed() -> None:
    race = apply_command(_full(), Leave("bob"), T0).race
    race = apply_command(race, Start("ada"), T0).race
    assert next_transition(race, after(4.999)) is None
    done = next_transition(race, after(9))
    assert done is not None
    assert done.race.started_at == after(5)
    assert [one.status for one in done.race.entrants] == ["playing", None, "playing"]
    assert done.events == (Event(EventKind.STARTED, at=after(5)),)


def test_start_with_too_few_is_a_cancellation() -> None:
    # As stored by a version that did not cancel at once when somebody left.
    gone = replace(_seated(counting(), "bob"), has_left=True)
    race = counting().with_entrant(gone)
    done = next_transition(race, after(9))
    assert done is not None
    assert done.race == replace(race, cancelled_at=after(5))
    body = {"reason": "too_few"}
    assert done.events == (Event(EventKind.CANCELLED, None, body, at=after(5)),)


def test_forfeit_takes_effect_alone() -> None:
    done = next_transition(forfeiting(), after(15))
    assert done is not None
    ada = _seated(forfeiting(), "ada")
    ended = replace(ada, status="forfeited", ended_at=after(15))
    assert done.race == forfeiting().with_entrant(ended)
    body = {"state": "forfeited"}
    assert done.events == (Event(EventKind.ENDED, 1, body, at=after(15)),)


def test_forfeit_due_at_the_deadline_is_a_forfeit() -> None:
    race = apply_command(running(), Forfeit("ada"), after(600)).race
    done = next_transition(race, after(605))
    assert done is not None
    states = [str(one.state) for one in done.race.entrants]
    assert states == ["forfeited", "no_show"]


def test_deadline_ends_the_runs_that_are_left() -> None:
    race = half_over()
    assert next_transition(race, after(604.999)) is None
    done = next_transition(race, after(605))
    assert done is not None
    assert done.events == (
        Event(EventKind.ENDED, 1, {"state": "no_show"}, at=after(605)),
    )
    assert _seated(done.race, "bob") == _seated(race, "bob")
    assert _seated(done.race, "ada").status == "expired"


def test_close_and_settlement() -> None:
    race = apply_command(half_over(), EndRun("ada", "died"), after(20)).race
    # Nothing to wait for, even by a clock that was set back.
    assert is_overdue(race, after(-60))
    closed = next_transition(race, after(30))
    assert closed is not None
    assert closed.race == replace(race, closed_at=after(20))
    assert closed.events == (Event(EventKind.CLOSED, at=after(20)),)
    settled = next_transition(closed.race, after(31))
    assert settled is not None
    assert settled.race == replace(closed.race, settled_at=after(31))
    assert settled.events == (Event(EventKind.SETTLED),)
    assert not is_overdue(settled.race, after(99))


# --- phases and due times -----------------------------------------------------


def test_held_race_waits_only_once_closed() -> None:
    held = replace(running(), held_at=after(6))
    assert race_phase(held, after(7)) is RacePhase.RUNNING
    assert next_due_at(held) == after(605)
    held = replace(closed(), held_at=after(21))
    assert race_phase(held, after(22)) is RacePhase.HELD
    assert next_due_at(held) is None
    assert next_transition(held, after(99)) is None


@pytest.mark.parametrize("field", ["starts_at", "deadline_at"])
def test_start_needs_both_its_times(field: str) -> None:
    race = replace(made(), **{field: after(5)})  # type: ignore[arg-type]
    assert race_phase(race, after(6)) is RacePhase.OPEN
    assert next_due_at(race) == race.expires_at


def test_started_race_without_entrants_is_over_at_its_start() -> None:
    race = replace(running(), entrants=())
    assert race.is_played_out
    assert next_due_at(race) == after(5)


@pytest.mark.parametrize(
    ("microsecond", "kept"),
    [(0, 0), (999, 0), (1000, 1000), (1001, 1000), (500_999, 500_000)],
)
def test_times_are_cut_to_milliseconds(microsecond: int, kept: int) -> None:
    at = T0.replace(microsecond=microsecond)
    assert truncate_to_ms(at) == T0.replace(microsecond=kept)


def test_last_milliseconds_of_a_second() -> None:
    at = T0.replace(microsecond=999_999)
    assert truncate_to_ms(at) == T0.replace(microsecond=999_000)
