"""The tests use the database that was asked for, with its limits."""

import os

import pytest
from django.db import connection


@pytest.mark.sqlite
@pytest.mark.django_db
def test_database_is_the_requested_one():
    asked = os.environ.get("TEST_DATABASE", "") or "postgresql"
    assert connection.vendor == asked


@pytest.mark.sqlite
@pytest.mark.django_db
def test_limits_of_the_database_are_set():
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SHOW lock_timeout")
            assert cursor.fetchone() == ("2s",)
        else:
            cursor.execute("PRAGMA foreign_keys")
            assert cursor.fetchone() == (1,)
            cursor.execute("PRAGMA synchronous")
            assert cursor.fetchone() == (2,), "2 is FULL"
