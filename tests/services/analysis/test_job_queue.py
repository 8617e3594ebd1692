"""The queue of studies: two workers do no harm, a killed one's work is taken up."""

from datetime import timedelta

import pytest

from game.models import Run, Study
from game.services.analysis import job_worker as work_module
from game.services.analysis.job_queue import (
    LEASE,
    MOST_TRIES,
    Superseded,
    studies_prune,
    studies_release,
    study_ask,
    study_fail,
    study_finish,
    study_progress,
    study_take,
)
from game.services.analysis.job_worker import study_work
from game.services.analysis.reviews import review_ask, review_show
from game.services.maintenance.tick import tick
from game.services.runs.runs import run_abandon
from game.tasks import reviews as task
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
LATER = NOON + LEASE + timedelta(seconds=1)


def asked(run: Run, kind: str = "review", question: str = "") -> Study:
    return study_ask(run_id=run.id, kind=kind, version="1", question=question, at=NOON)


def test_asked_twice_is_one_study(run: Run) -> None:
    assert asked(run).pk == asked(run).pk
    assert Study.objects.count() == 1


def test_one_takes_it_up_and_the_other_finds_nothing(run: Run) -> None:
    asked(run)
    taken = study_take(at=NOON)
    assert taken is not None
    assert (taken.status, taken.fence, taken.tries) == ("running", 1, 1)
    assert study_take(at=NOON) is None


def test_solutions_go_first(run: Run) -> None:
    asked(run)
    solve = asked(run, "solve", "4Cb")
    taken = study_take(at=NOON)
    assert taken is not None
    assert taken.pk == solve.pk


def test_a_killed_worker_is_taken_up_and_may_write_no_more(run: Run) -> None:
    asked(run)
    killed = study_take(at=NOON)
    assert killed is not None
    study_progress(killed, 0.5, at=NOON)
    assert study_take(at=NOON + LEASE - timedelta(seconds=1)) is None
    heir = study_take(at=LATER)
    assert heir is not None
    assert (heir.pk, heir.fence, heir.progress) == (killed.pk, 2, 0.0)
    for write in (
        lambda: study_progress(killed, 0.9, at=LATER),
        lambda: study_finish(killed, {"values": [1]}, None, at=LATER),
        lambda: study_fail(killed),
    ):
        with pytest.raises(Superseded):
            write()
    study_finish(heir, {"values": [2]}, 0.5, at=LATER)
    kept = Study.objects.get()
    assert (kept.status, kept.result, kept.accuracy) == ("done", {"values": [2]}, 0.5)
    with pytest.raises(Superseded):
        study_finish(heir, {}, None, at=LATER)


def test_the_tick_gives_it_back_to_the_queue(run: Run, quick: None) -> None:
    asked(run)
    study_take(at=NOON)
    assert tick(at=LATER)["studies_released"] == 1
    assert Study.objects.get().status == "queued"
    assert studies_release(at=LATER) == 0


def test_what_kills_three_workers_is_given_up_until_asked_again(run: Run) -> None:
    asked(run)
    at = NOON
    for _ in range(MOST_TRIES):
        assert study_take(at=at) is not None
        at += LEASE + timedelta(seconds=1)
    assert study_take(at=at) is None
    assert Study.objects.get().status == "failed"
    again = asked(run)
    assert (again.status, again.tries) == ("queued", 0)


def test_solutions_are_kept_a_week_and_reviews_for_good(run: Run) -> None:
    asked(run)
    asked(run, "solve", "4Cb")
    assert studies_prune(at=NOON + timedelta(days=6)) == 0
    assert studies_prune(at=NOON + timedelta(days=7)) == 1
    assert Study.objects.get().kind == "review"


def test_nothing_hidden_is_ever_analysed(run: Run) -> None:
    asked(run)
    study = study_take(at=NOON)
    assert study is not None
    with pytest.raises(AssertionError, match="hidden"):
        study_work(study, at=NOON)


def test_a_lease_lost_on_the_way_ends_the_work(run: Run) -> None:
    ended = run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    review_ask(run=ended, at=NOON)
    study = study_take(at=NOON)
    assert study is not None
    Study.objects.update(fence=9)
    with pytest.raises(Superseded):
        study_work(study, at=NOON)
    assert Study.objects.get().status == "running"


def test_the_task_answers_what_waits_and_twice_does_no_harm(run: Run) -> None:
    ended = run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    assert review_ask(run=ended, at=NOON)["status"] == "queued"
    assert task.answer() == 1
    assert task.answer() == 0
    shown = review_show(run=ended)
    assert (shown["status"], shown["progress"], shown["moves"]) == ("done", 1.0, [])
    assert shown["given_up"] > 0


def test_what_breaks_is_said_to_have_failed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("no such luck")

    monkeypatch.setattr(work_module, "review", broken)
    ended = run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    review_ask(run=ended, at=NOON)
    task.answer()
    assert review_show(run=ended)["status"] == "failed"
    assert review_ask(run=ended, at=NOON)["status"] == "queued"
