"""The job queue of studies: leases, fencing, retries and pruning."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections

from game.models import Account, Run, Study
from game.services.analysis import job_worker as work_module
from game.services.analysis.job_queue import (
    LEASE,
    MAX_TRIES,
    Superseded,
    queue_position,
    studies_prune,
    studies_requeue,
    study_fail,
    study_finish,
    study_report_progress,
    study_request,
    study_take,
)
from game.services.analysis.job_worker import study_compute
from game.services.analysis.reviews import requester_of, review_request, review_show
from game.services.maintenance.tick import tick
from game.services.runs.runs import practice_start, run_abandon
from game.tasks import reviews as task
from tests.fixtures.accounts import person
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db
LATER = NOON + LEASE + timedelta(seconds=1)


def requested(
    run: Run, kind: str = "review", question: str = "", requester: str = "ada"
) -> Study:
    return study_request(
        run_id=run.id,
        kind=kind,
        version="1",
        question=question,
        requester=requester,
        at=NOON,
    )


def take_all() -> list[str]:
    """Take every queued study; the requesters and questions in that order."""
    order = []
    while (study := study_take(at=NOON)) is not None:
        order.append(f"{study.requester}{study.question}")
    return order


def test_second_request_returns_the_same_study(run: Run) -> None:
    assert requested(run).pk == requested(run).pk
    assert Study.objects.count() == 1


def test_study_is_taken_by_one_worker_only(run: Run) -> None:
    requested(run)
    taken = study_take(at=NOON)
    assert taken is not None
    assert (taken.status, taken.fence, taken.tries) == ("running", 1, 1)
    assert study_take(at=NOON) is None


def test_solutions_are_taken_before_reviews_of_the_same_turn(run: Run) -> None:
    requested(run)
    solve = requested(run, "solve", "4Cb", requester="bob")
    taken = study_take(at=NOON)
    assert taken is not None
    assert taken.pk == solve.pk


def test_many_requests_of_one_do_not_delay_another(run: Run) -> None:
    for number in range(5):
        requested(run, "solve", f"{number}", requester="ada")
    assert None not in [study_take(at=NOON), study_take(at=NOON)]
    waiting = [requested(run, "solve", name, requester="bob") for name in "xy"]
    assert [queue_position(one) for one in waiting] == [1, 3]
    assert take_all() == ["bobx", "ada2", "boby", "ada3", "ada4"]
    assert [queue_position(one) for one in Study.objects.all()] == [None] * 7


def test_requests_one_after_another_do_not_delay_a_waiting_one(run: Run) -> None:
    for number in range(3):
        requested(run, "solve", f"{number}", requester="ada")
    order = []
    for name in "xyz":  # Bob asks again whenever his own is computed
        requested(run, "solve", name, requester="bob")
        order += [take.question for _ in "12" if (take := study_take(at=NOON))]
    assert order == ["0", "x", "1", "y", "2", "z"]


def test_a_second_requester_gets_their_own_turn(run: Run) -> None:
    for number in range(5):
        requested(run, "solve", f"{number}", requester="ada")
    last = requested(run, "solve", "4", requester="bob")
    assert (last.requester, queue_position(last)) == ("bob", 2)
    assert requested(run, "solve", "4", requester="ada").requester == "bob"
    assert take_all() == ["ada0", "bob4", "ada1", "ada2", "ada3"]


def test_guests_of_a_network_are_one_requester(ada: Account, bob: Account) -> None:
    eve = person("Eve")
    here, there = "198.51.100.1", "198.51.100.2"
    assert (
        requester_of(ada, here) == requester_of(bob, here) == requester_of(None, here)
    )
    assert requester_of(ada, here) != requester_of(ada, there)
    assert requester_of(eve, here) == requester_of(eve, there) == eve.id
    assert here not in requester_of(ada, here)


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite
def test_concurrent_requests_get_turns_of_their_own(run: Run) -> None:
    def ask(number: int) -> int:
        try:
            return int(requested(run, "solve", f"{number}").turn)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as threads:
        turns = list(threads.map(ask, range(12)))
    assert sorted(turns) == list(range(12))


def test_expired_lease_lets_another_worker_take_the_study(run: Run) -> None:
    requested(run)
    killed = study_take(at=NOON)
    assert killed is not None
    study_report_progress(killed, 0.5, at=NOON)
    assert study_take(at=NOON + LEASE - timedelta(seconds=1)) is None
    heir = study_take(at=LATER)
    assert heir is not None
    assert (heir.pk, heir.fence, heir.progress) == (killed.pk, 2, 0.0)
    for write in (
        lambda: study_report_progress(killed, 0.9, at=LATER),
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


def test_tick_requeues_studies_with_an_expired_lease(run: Run, quick: None) -> None:
    requested(run)
    study_take(at=NOON)
    assert tick(at=LATER)["studies_requeue"] == 1
    assert Study.objects.get().status == "queued"
    assert studies_requeue(at=LATER) == 0


def test_study_fails_after_three_tries_until_requested_again(run: Run) -> None:
    requested(run)
    at = NOON
    for _ in range(MAX_TRIES):
        assert study_take(at=at) is not None
        at += LEASE + timedelta(seconds=1)
    assert study_take(at=at) is None
    assert Study.objects.get().status == "failed"
    again = requested(run)
    assert (again.status, again.tries) == ("queued", 0)


def test_prune_deletes_old_solutions_but_no_reviews(run: Run) -> None:
    requested(run)
    requested(run, "solve", "4Cb")
    assert studies_prune(at=NOON + timedelta(days=6)) == 0
    assert studies_prune(at=NOON + timedelta(days=7)) == 1
    assert Study.objects.get().kind == "review"


@pytest.mark.parametrize("kind", ["review", "solve"])
def test_hidden_dungeon_is_not_analysed(ada: Account, kind: str) -> None:
    requested(practice_start(account=ada, at=NOON), kind)
    study = study_take(at=NOON)
    assert study is not None
    with pytest.raises(AssertionError, match="only open"):
        study_compute(study, at=NOON)


def test_worker_stops_when_it_loses_its_lease(run: Run) -> None:
    ended = run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    review_request(run=ended, requester="ada", at=NOON)
    study = study_take(at=NOON)
    assert study is not None
    Study.objects.update(fence=9)
    with pytest.raises(Superseded):
        study_compute(study, at=NOON)
    assert Study.objects.get().status == "running"


def test_task_computes_queued_studies_and_may_run_twice(run: Run) -> None:
    ended = run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    assert review_request(run=ended, requester="ada", at=NOON)["status"] == "queued"
    assert task.compute_studies() == 1
    assert task.compute_studies() == 0
    shown = review_show(run=ended)
    assert (shown["status"], shown["progress"], shown["moves"]) == ("done", 1.0, [])
    assert shown["given_up"] > 0


def test_exception_marks_the_study_as_failed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("no such luck")

    monkeypatch.setattr(work_module, "review", broken)
    ended = run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    review_request(run=ended, requester="ada", at=NOON)
    task.compute_studies()
    assert review_show(run=ended)["status"] == "failed"
    assert review_request(run=ended, requester="ada", at=NOON)["status"] == "queued"
