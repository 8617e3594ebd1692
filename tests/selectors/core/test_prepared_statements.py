"""Prepared statements: values, and recovery from errors."""

from datetime import UTC, date, datetime

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from game.selectors.core.prepared_statements import all_rows, one_row

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 29, 23, 59, 59, 123456, tzinfo=UTC)
TYPES = """
select cast(%s as integer), cast(%s as boolean), cast(%s as timestamptz),
    cast(%s as date), cast(%s as float), cast(%s as text), cast(%s as bigint), 5 %% 3
"""


def is_postgresql() -> bool:
    return connection.vendor == "postgresql"


def test_values_are_returned_unchanged() -> None:
    if not is_postgresql():
        return
    values = (7, True, AT, date(2026, 11, 30), 0.5, "\u00e4 'n' %s", 2**40)
    assert one_row(TYPES, values) == (*values, 2)
    nothing = (None,) * 7
    assert one_row(TYPES, nothing) == (*nothing, 2)
    assert one_row("select 1 where 1 = %s", (2,)) is None
    assert all_rows("select generate_series(1, %s)", (3,)) == [(1,), (2,), (3,)]


def test_statement_works_again_after_an_error() -> None:
    if not is_postgresql():
        return
    twice = "insert into game_throttle values (%s, 1, now()) returning key"
    assert one_row(twice, ("hot",)) == ("hot",)
    for _ in range(2):
        with pytest.raises(IntegrityError), transaction.atomic():
            one_row(twice, ("hot",))
    assert one_row(twice, ("hotter",)) == ("hotter",)


def test_statement_is_prepared_again_after_a_schema_change() -> None:
    if not is_postgresql():
        return
    with connection.cursor() as cursor:
        cursor.execute("create temporary table hot_one (a integer) on commit drop")
    assert all_rows("select * from hot_one", ()) == []
    with connection.cursor() as cursor:
        cursor.execute("alter table hot_one add b integer")
    with pytest.raises(Exception, match="cached plan"), transaction.atomic():
        all_rows("select * from hot_one", ())
    assert all_rows("select * from hot_one", ()) == []


def test_invalid_statement_raises_the_error_of_django() -> None:
    if not is_postgresql():
        return
    with pytest.raises(ProgrammingError), transaction.atomic():
        one_row("select nothing from nowhere where 1 = %s", (1,))
