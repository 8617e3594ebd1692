"""The demo data: valid, the same for the same seed, and created once."""

import pytest
from django.core.management import call_command

from game.models import Account, BoardEntry, Daily, Move, Run
from game.rules.replay import fold
from game.rules.rulesets import find_ruleset
from game.rules.scoring import score
from game.services.accounts.names import name_check
from game.services.demo.dailies import demo_dailies
from game.services.demo.world import BOTS, PEOPLE, demo_seed
from game.services.maintenance.invariants import breaches
from game.services.runs.dungeons import dungeon_deck
from tests.fixtures.accounts import PASSWORD, person
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db


def test_runs_equal_the_replay_of_their_moves() -> None:
    world = demo_seed(seed="x", at=NOON, runs=12)
    assert world is not None
    assert (world.accounts, world.runs) == (Account.objects.count(), 12)
    for run in Run.objects.select_related("dungeon", "account"):
        moves = list(run.moves.order_by("index"))
        assert [move.index for move in moves] == list(range(run.index))
        deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
        codes = [move.code for move in moves]
        state = fold(find_ruleset(run.ruleset), deck, codes, run.difficulty)
        assert (state.status, score(state)) == (run.status, run.score)
        times = [run.started_at, *(move.at for move in moves)]
        assert times == sorted(times)
        assert run.finished_at is not None
        assert run.account.created_at <= run.started_at < run.finished_at <= NOON
        assert run.dungeon.revealed_at == run.finished_at


def signature() -> list[tuple[str, str, str, int | None]]:
    runs = Run.objects.select_related("account")
    return sorted((r.account.name, r.ruleset, r.status, r.score) for r in runs)


def test_same_seed_creates_the_same_data() -> None:
    seen = []
    for seed in ("x", "x", "y"):
        demo_seed(seed=seed, at=NOON, runs=8)
        seen.append(signature())
        Move.objects.all().delete()
        Run.objects.all().delete()
        Account.objects.all().delete()
    assert seen[0] == seen[1]
    assert seen[0] != seen[2]


def test_demo_is_created_once() -> None:
    assert demo_seed(seed="x", at=NOON, runs=1) is not None
    assert demo_seed(seed="x", at=NOON, runs=1) is None
    assert demo_seed(seed="y", at=NOON, runs=1) is None
    assert Run.objects.count() == 1


def test_existing_accounts_are_not_changed() -> None:
    real = person(PEOPLE[0])
    demo_seed(seed="x", at=NOON, runs=1)
    assert Account.objects.get(id=real.id).name == PEOPLE[0]
    assert Account.objects.filter(name=f"{PEOPLE[0]} 2").exists()


def test_demo_accounts_have_no_password_by_default() -> None:
    demo_seed(seed="x", at=NOON, runs=1)
    assert not any(a.has_usable_password() for a in Account.objects.all())


def test_first_account_gets_the_given_password(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("seed_demo", "--runs", "1", "--days", "0", "--password", PASSWORD)
    assert "1 runs and 0 dailies" in capsys.readouterr().out
    assert Account.objects.get(name=PEOPLE[0]).check_password(PASSWORD)
    call_command("seed_demo")
    assert "already" in capsys.readouterr().out


def test_names_are_valid() -> None:
    for name in (*PEOPLE, *BOTS):
        assert name_check(name) == name


def test_past_dailies_are_settled_and_valid(quick: None, one_ruleset: None) -> None:
    demo_seed(seed="x", at=NOON, runs=1)
    assert demo_dailies(seed="x", at=NOON, days=2) == 2
    assert demo_dailies(seed="x", at=NOON, days=2) == 0
    past = Daily.objects.filter(on__lt=NOON.date()).order_by("on")
    assert [daily.settled_at == daily.settles_at for daily in past] == [True, True]
    assert BoardEntry.objects.filter(board__span=str(past[1].on)).count() > 5
    today = Run.objects.filter(daily__on=NOON.date())
    assert {run.ranked for run in today} == {True, False}
    assert not today.filter(account__name=PEOPLE[0]).exists()
    assert list(breaches(at=NOON)) == []
