"""The tests run where they say they run."""

import os

import pytest
from django.db import connection


@pytest.mark.sqlite
@pytest.mark.django_db
def test_the_database_is_the_one_asked_for():
    asked = os.environ.get("TEST_DATABASE", "") or "postgresql"
    assert connection.vendor == asked


@pytest.mark.sqlite
@pytest.mark.django_db
def test_the_limits_are_in_force():
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SHOW lock_timeout")
            assert cursor.fetchone() == ("2s",)
        else:
            cursor.execute("PRAGMA foreign_keys")
            assert cursor.fetchone() == (1,)
            cursor.execute("PRAGMA synchronous")
            assert cursor.fetchone() == (2,), "2 is FULL"
