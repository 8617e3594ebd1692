"""`retry_transaction`: which errors are conflicts, and how often it tries."""

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from game.services.core.retry import MAX_TRIES, retry_transaction

pytestmark = pytest.mark.django_db(transaction=True)


class DriverError(Exception):
    """A database driver's error with its SQLSTATE."""

    def __init__(self, sqlstate: str | None) -> None:
        self.sqlstate = sqlstate


def operational_error(sqlstate: str | None) -> OperationalError:
    error = OperationalError("failed")
    error.__cause__ = DriverError(sqlstate)
    return error


class Work:
    """Fails a number of times with an error, then returns "done"."""

    def __init__(self, error: Exception, failures: int) -> None:
        self.error, self.failures, self.calls = error, failures, 0

    def __call__(self) -> str:
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error
        return "done"


def retried(work: Work) -> str:
    @retry_transaction
    def run() -> str:
        return work()

    return run()


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(operational_error("40001"), id="serialization failure"),
        pytest.param(operational_error("40P01"), id="deadlock"),
        pytest.param(operational_error("55P03"), id="lock timeout"),
        pytest.param(IntegrityError("unique"), id="violated constraint"),
    ],
)
def test_conflict_is_retried(error: Exception) -> None:
    work = Work(error, failures=MAX_TRIES - 1)
    assert retried(work) == "done"
    assert work.calls == MAX_TRIES


@pytest.mark.parametrize("error", [operational_error("55P03"), IntegrityError("u")])
def test_last_try_raises(error: Exception) -> None:
    work = Work(error, failures=MAX_TRIES)
    with pytest.raises(type(error)):
        retried(work)
    assert work.calls == MAX_TRIES


@pytest.mark.parametrize("sqlstate", ["57014", "08006", None])
def test_other_errors_are_raised_at_once(sqlstate: str | None) -> None:
    work = Work(operational_error(sqlstate), failures=1)
    with pytest.raises(OperationalError):
        retried(work)
    assert work.calls == 1


def test_no_retry_inside_an_outer_transaction() -> None:
    """The outer transaction has failed: a second try could only fail again."""
    work = Work(operational_error("40001"), failures=1)
    with pytest.raises(OperationalError), transaction.atomic():
        retried(work)
    assert work.calls == 1


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_the_database_reports_a_lock_timeout_by_that_state() -> None:
    """A real lock timeout, so that the list of states is that of PostgreSQL."""
    other = connection.copy()
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("lock table game_job in access exclusive mode")
            with other.cursor() as waiting:
                waiting.execute("set lock_timeout = '20ms'")
                with pytest.raises(OperationalError) as found:
                    waiting.execute("select count(*) from game_job")
    finally:
        other.close()
    assert getattr(found.value.__cause__, "sqlstate", None) == "55P03"
