"""Outages: when the site is down, and what that changes in a race."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from game.contest.events import EventKind
from game.contest.outages import (
    OUTAGE_AFTER,
    Outage,
    ProcessRole,
    SiteState,
    race_after_outage,
    site_state,
)
from game.contest.race import EntrantFacts, RaceFacts
from game.contest.timed_transitions import (
    CLOCK_SLACK,
    after_clock_set_back,
    next_transition,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
LIMIT = 10 * MINUTE
WEB, WORKER = ProcessRole.WEB, ProcessRole.WORKER


def at(minutes: float) -> datetime:
    """So many minutes after the start of the race."""
    return NOON + minutes * MINUTE


@pytest.mark.parametrize(
    ("ages", "role", "state"),
    [
        ({}, WORKER, SiteState.UP),
        ({WORKER: OUTAGE_AFTER - SECOND}, WORKER, SiteState.UP),
        ({WORKER: OUTAGE_AFTER}, WORKER, SiteState.BACK),
        ({WORKER: -20 * MINUTE}, WORKER, SiteState.UP),  # the clock was set back
        ({WEB: OUTAGE_AFTER, WORKER: SECOND}, WORKER, SiteState.DOWN),
        ({WEB: OUTAGE_AFTER, WORKER: SECOND}, WEB, SiteState.BACK),
        ({WEB: SECOND, WORKER: 9 * MINUTE}, WORKER, SiteState.UP),
        ({WORKER: OUTAGE_AFTER}, WEB, SiteState.DOWN),
    ],
)
def test_state_of_the_site(
    ages: dict[ProcessRole, timedelta], role: ProcessRole, state: SiteState
) -> None:
    signs = {one: NOON - age for one, age in ages.items()}
    assert site_state(signs, role, NOON) is state


def test_days_of_an_outage() -> None:
    outage = Outage(NOON - timedelta(hours=13), NOON)
    assert list(outage.days()) == [date(2026, 11, 29), date(2026, 11, 30)]


def running(**changes: object) -> RaceFacts:
    entrants = tuple(
        EntrantFacts(f"a{n}", n, status="playing", is_ready=True) for n in (1, 2)
    )
    race = RaceFacts(
        host="a1",
        made_at=at(-1),
        expires_at=at(59),
        rated=True,
        time_limit=LIMIT,
        starts_at=NOON,
        started_at=NOON,
        deadline_at=NOON + LIMIT,
        entrants=entrants,
    )
    return replace(race, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("race", "began", "ended", "deadline", "rated"),
    [
        (running(), 2, 5, 13, True),
        (running(rated=False), 2, 5, 13, False),
        (running(), -3, 5, 15, True),  # it began before the race
        (running(), 2, 9.9, 17.9, True),
        (running(), 2, 10, 10, False),  # it covers the rest
        (running(), 2, 90, 10, False),
        (running(paused_to=at(4)), 2, 5, 11, True),  # a part is applied already
    ],
)
def test_outage_moves_the_deadline_or_makes_the_race_unrated(
    race: RaceFacts, began: float, ended: float, deadline: float, rated: bool
) -> None:
    after, events = race_after_outage(race, Outage(at(began), at(ended)))
    assert (after.deadline_at, after.rated) == (at(deadline), rated)
    assert after.paused_to == at(ended)
    assert [(one.kind, one.deadline_at) for one in events] == [
        (EventKind.OUTAGE, after.deadline_at)
    ]
    assert events[0].body["rated"] is rated


@pytest.mark.parametrize(
    ("race", "began", "ended"),
    [
        (running(rated=False), 2, 90),  # nothing to lose
        (running(), 11, 12),
        (
            running(
                entrants=(
                    EntrantFacts("a1", 1, status="died", ended_at=at(1)),
                    EntrantFacts("a2", 2, status="cleared", ended_at=at(2)),
                )
            ),
            3,
            90,
        ),
    ],
)
def test_outage_that_changes_nothing(
    race: RaceFacts, began: float, ended: float
) -> None:
    after, events = race_after_outage(race, Outage(at(began), at(ended)))
    assert after == replace(race, paused_to=at(ended))
    assert events == ()


def test_race_that_should_have_started_meanwhile_is_cancelled() -> None:
    race = running(started_at=None)
    after, events = race_after_outage(race, Outage(at(-0.05), at(3)))
    assert after.cancelled_at == at(3)
    assert [one.body for one in events] == [{"reason": "outage"}]


@pytest.mark.parametrize(
    ("race", "now", "starts", "deadline"),
    [
        (running(deadline_at=at(30)), 5, 0, 15),
        (running(), -20, None, None),  # moves may be later than at(-10)
        (running(started_at=None), -20, -20 + 5 / 60, -10 + 5 / 60),
        (running(), 0, None, None),
        (running(started_at=None), -5 / 60, None, None),
        (running(closed_at=at(1)), -20, None, None),
        (running(started_at=None, cancelled_at=at(0)), -20, None, None),
        (running(), -CLOCK_SLACK / MINUTE, None, None),
    ],
)
def test_clock_that_was_set_back_does_not_lengthen_a_race(
    race: RaceFacts, now: float, starts: float | None, deadline: float | None
) -> None:
    found = after_clock_set_back(race, at(now))
    if starts is None or deadline is None:
        assert found is None
        return
    assert found is not None
    assert found.race.starts_at == at(starts)
    assert found.race.deadline_at == at(deadline)
    assert len(found.events) == 1


def test_race_whose_runs_are_over_does_not_wait_for_the_clock() -> None:
    over = tuple(
        replace(one, status="died", ended_at=at(3)) for one in running().entrants
    )
    closed = next_transition(running(entrants=over), at(-20))
    assert closed is not None
    assert closed.race.closed_at == at(3)
    settled = next_transition(closed.race, at(-20))
    assert settled is not None
    assert settled.race.settled_at == at(-20)
