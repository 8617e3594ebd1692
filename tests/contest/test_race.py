"""The state machine of a race: commands, times, and random sequences of both."""

import random
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from game.contest.events import Event
from game.contest.race import (
    OPEN_FOR,
    SPEED_GRACE,
    EntrantKind,
    EntrantState,
    RaceFacts,
    RacePhase,
    next_due_at,
    race_phase,
)
from game.contest.removal import remove_entrants
from game.contest.timed_transitions import is_overdue, next_transition
from tests.contest.race_table import (
    PHASES,
    SPEED,
    T0,
    TABLE,
    Row,
    after,
    counting,
    half_over,
    made,
    run_on,
    running,
)


@pytest.mark.parametrize(
    "row",
    TABLE,
    ids=lambda r: f"{r.make_race.__name__}+{r.at:g}-{type(r.command).__name__}",
)
def test_commands_by_phase(row: Row) -> None:
    race = row.make_race()
    if isinstance(row.outcome, str):
        with pytest.raises(RaceRefusal) as refused:
            apply_command(race, row.command, after(row.at))
        assert refused.value.code == row.outcome
        return
    done = apply_command(race, row.command, after(row.at))
    assert tuple(happened.kind for happened in done.events) == row.outcome
    assert (done.race == race) == (not row.outcome)


@pytest.mark.parametrize(("make_race", "at", "expected"), PHASES)
def test_phases_by_time(make_race, at: float, expected: str) -> None:
    assert race_phase(make_race(), after(at)) == expected


def test_joining_a_full_race_is_refused() -> None:
    race = apply_command(made(), Join("cleo", "live"), T0).race
    with pytest.raises(RaceRefusal) as refused:
        apply_command(race, Join("dora", "live"), T0)
    assert refused.value.code == "race.full"


def test_last_ready_entrant_begins_the_countdown() -> None:
    race = apply_command(made(), Ready("ada"), T0).race
    done = apply_command(race, Ready("bob"), after(1.0004))
    assert [one.kind for one in done.events] == ["readied", "countdown_begun"]
    assert done.race.starts_at == after(6)


def test_bot_joins_ready() -> None:
    race = RaceFacts("ada", T0, T0 + OPEN_FOR)
    race, _ = apply_command(race, Join("ada"), T0)
    race, _ = apply_command(race, Join("fox", kind=EntrantKind.BOT), T0)
    assert apply_command(race, Ready("ada"), T0).race.starts_at == after(5)


def test_race_with_only_bots_is_cancelled() -> None:
    race = RaceFacts("ada", T0, T0 + OPEN_FOR)
    race, _ = apply_command(race, Join("ada"), T0)
    race, _ = apply_command(race, Join("fox", kind=EntrantKind.BOT), T0)
    done = apply_command(race, Leave("ada"), T0)
    assert [one.kind for one in done.events] == ["left", "cancelled"]


def test_leaving_in_the_countdown_can_cancel_the_race() -> None:
    race = apply_command(counting(), Leave("bob"), after(1)).race
    assert (race_phase(race, after(1)), race.cancelled_at) == (
        RacePhase.CANCELLED,
        after(1),
    )


def test_late_start_has_the_planned_time() -> None:
    race = run_on(counting(), after(300))
    assert race.started_at == after(5)
    assert {one.state for one in race.entrants} == {EntrantState.RACING}


def test_forfeit_ends_the_run_at_its_announced_time() -> None:
    race = apply_command(running(), Forfeit("ada"), after(10)).race
    race = run_on(race, after(60))
    ada = race.entrant("ada")
    assert ada is not None
    assert (ada.state, ada.ended_at) == (EntrantState.FORFEITED, after(15))


def test_forfeit_after_the_deadline_does_not_count() -> None:
    race = apply_command(running(), Forfeit("ada"), after(603)).race
    race = run_on(race, after(700))
    assert {one.ended_at for one in race.entrants} == {after(605)}
    ada = race.entrant("ada")
    assert ada is not None
    assert ada.state is EntrantState.NO_SHOW


def test_deadline_distinguishes_no_show_and_timeout() -> None:
    race = running()
    bob = race.entrant("bob")
    assert bob is not None
    race = run_on(race.with_entrant(replace(bob, moves=1)), after(605))
    states = [one.state for one in race.entrants]
    assert states == [EntrantState.NO_SHOW, EntrantState.TIMED_OUT]
    assert race.closed_at == after(605)


def test_grace_is_for_speed_races_and_not_for_forfeits() -> None:
    assert half_over().deadline_at == after(605)
    race = apply_command(running(format=SPEED), EndRun("bob", "died"), after(10)).race
    assert race.deadline_at == after(10) + SPEED_GRACE
    late = apply_command(running(format=SPEED), EndRun("bob", "died"), after(600)).race
    assert late.deadline_at == after(605)
    left = apply_command(running(format=SPEED), Forfeit("bob"), after(10)).race
    assert run_on(left, after(20)).deadline_at == after(605)


def test_rated_start_removes_entrants_who_are_not_ready() -> None:
    paired = made(rated=True, is_paired=True)
    race = apply_command(paired, Join("cleo", "live"), T0).race
    with pytest.raises(RaceRefusal) as refused:
        apply_command(race, Start("ada"), T0)
    assert refused.value.code == "race.too_few"
    race = apply_command(race, Ready("cleo"), T0).race
    done = apply_command(race, Start("ada"), T0)
    assert [one.account for one in done.race.active] == ["ada", "cleo"]
    assert [one.kind for one in done.events] == ["left", "countdown_begun"]


@pytest.mark.parametrize(
    ("pool", "code"),
    [("", "race.rated_needs_account"), ("bot", "race.rated_one_pool")],
)
def test_rated_race_is_for_one_pool(pool: str, code: str) -> None:
    with pytest.raises(RaceRefusal) as refused:
        apply_command(made(rated=True), Join("cleo", pool), T0)
    assert refused.value.code == code


def test_dropped_host_is_replaced() -> None:
    done = remove_entrants(made(), frozenset({1}), "elsewhere", T0)
    assert done.race.host == "bob"
    assert done.events[0].body == {"reason": "elsewhere", "host_seat": 2}


PEOPLE = ("ada", "bob", "cleo", "dora")


def _commands(rng: random.Random) -> Command:
    who = rng.choice(PEOPLE)
    return rng.choice(
        (
            Join(who, "live"),
            Leave(who),
            Remove(who, rng.randint(1, 4)),
            CloseEarly(who, {}),
            Ready(who),
            Ready(who),
            Unready(who),
            Start(who),
            Forfeit(who),
            CancelForfeit(who),
            EndRun(who, rng.choice(("died", "cleared"))),
        )
    )


class World:
    """A race with random commands, delayed ticks and a simulated clock."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.at = T0
        form = self.rng.choice(("score", "speed"))
        self.race = RaceFacts(
            "ada",
            T0,
            T0 + OPEN_FOR,
            format=type(SPEED)(form),
            seats=self.rng.randint(2, 4),
            rated=self.rng.random() < 0.5,
            is_listed=self.rng.random() < 0.5,
            time_limit=timedelta(seconds=self.rng.randint(180, 600)),
        )
        self.race, _ = apply_command(self.race, Join("ada", "live"), T0)
        self.events: list[Event] = []
        self.seen = [RacePhase.OPEN]

    def step(self) -> None:
        self.at += timedelta(milliseconds=self.rng.choice((0, 1, 900, 4000, 30_000)))
        if self.rng.random() < 0.6:
            self.pass_time()
        try:
            self.race, came = apply_command(self.race, _commands(self.rng), self.at)
        except RaceRefusal:
            came = ()
        self.events += came
        self.note()

    def pass_time(self) -> None:
        for _ in range(20):
            done = next_transition(self.race, self.at)
            if done is None:
                return
            assert done.race != self.race
            self.race = done.race
            self.events += done.events
            self.note()
        raise AssertionError("time never comes to rest")

    def note(self) -> None:
        now = race_phase(self.race, self.at)
        if now is not self.seen[-1]:
            self.seen.append(now)


ORDER = [
    RacePhase.OPEN,
    RacePhase.COUNTDOWN,
    RacePhase.RUNNING,
    RacePhase.CLOSED,
    RacePhase.SETTLED,
]


@given(seed=st.integers(0, 2**32))
def test_any_sequence_of_commands_ends_the_race(seed: int) -> None:
    world = World(seed)
    for _ in range(60):
        world.step()
        race = world.race
        assert len(race.active) <= race.seats
        assert len({one.seat for one in race.entrants}) == len(race.entrants)
        assert race.cancelled_at is None or race.started_at is None
    world.at += timedelta(hours=3)
    world.pass_time()
    seen = world.seen
    if seen[-1] is RacePhase.CANCELLED:
        assert ORDER.index(seen[-2]) <= 1
        seen.pop()
    ranks = [ORDER.index(one) for one in seen]
    assert ranks == sorted(ranks)
    assert next_due_at(world.race) is None
    assert not is_overdue(world.race, world.at)
    kinds = [one.kind for one in world.events]
    for once in ("started", "closed", "settled", "cancelled"):
        assert kinds.count(once) <= 1  # type: ignore[arg-type]


@given(seed=st.integers(0, 2**32))
def test_result_does_not_depend_on_when_time_is_applied(seed: int) -> None:
    """Many ticks and a single late tick give the same race."""
    often, late = World(seed), World(seed)
    for world, diligent in ((often, True), (late, False)):
        rng = random.Random(seed + 1)
        world.race = apply_command(world.race, Join("bob", "live"), T0).race
        world.race = apply_command(world.race, Ready("bob"), T0).race
        world.race = apply_command(world.race, Start("ada"), T0).race
        world.at = after(5)
        world.pass_time()
        for who in rng.sample(["ada", "bob"], rng.randint(0, 2)):
            world.at += timedelta(seconds=rng.randint(1, 40))
            world.race = apply_command(world.race, Forfeit(who), world.at).race
        for _ in range(30):
            world.at += timedelta(seconds=25)
            if diligent:
                world.pass_time()
        world.pass_time()
    assert _timeless(often.race, often.at) == _timeless(late.race, late.at)


def _timeless(race: RaceFacts, at: datetime) -> RaceFacts:
    return replace(race, settled_at=None)


def test_race_closes_when_the_last_entrant_finishes() -> None:
    race = made()
    for name in ("cleo",):
        race = apply_command(race, Join(name, "live"), T0).race
    for name in ("ada", "bob", "cleo"):
        race = apply_command(race, Ready(name), T0).race
    race = run_on(race, after(5))
    for number, name in enumerate(("ada", "bob", "cleo")):
        assert not race.is_played_out
        race = run_on(race, after(10 + number))
        assert race.closed_at is None
        assert race_phase(race, after(10 + number)) is RacePhase.RUNNING
        race = apply_command(race, EndRun(name, "died"), after(11 + number)).race
    assert race.is_played_out
    assert next_due_at(race) == after(13)
    assert run_on(race, after(13)).closed_at == after(13)


@pytest.mark.parametrize("kind", [EntrantKind.BOT, EntrantKind.GHOST])
def test_host_role_passes_to_a_player_never_to_a_bot(kind: EntrantKind) -> None:
    race = RaceFacts("ada", T0, T0 + OPEN_FOR, seats=4)
    for name, what in (
        ("ada", EntrantKind.PLAYER),
        ("rat", kind),
        ("bob", EntrantKind.PLAYER),
    ):
        race = apply_command(race, Join(name, kind=what), T0).race
    left = apply_command(race, Leave("ada"), T0)
    assert left.race.host == "bob"
    assert left.events[0].body == {"reason": "left", "host_seat": 3}
    alone = apply_command(left.race, Leave("bob"), T0)
    assert alone.race.host == "bob"
    assert alone.race.cancelled_at == T0
