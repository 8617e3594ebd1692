"""No index repeats the leading columns of another one."""

import pytest
from django.db import connection

# Indexes of the game's tables that a query could do without: their names, their key
# columns and those of the index that starts with the same columns. Django makes the
# ones that end in _like, for text patterns, and those of the many-to-many tables.
PREFIXES = """
WITH indexes AS (
    SELECT x.indrelid, i.relname AS name, x.indisunique AS is_unique,
           COALESCE(pg_get_expr(x.indpred, x.indrelid), '') AS predicate,
           ARRAY(SELECT pg_get_indexdef(x.indexrelid, n, true)
                 FROM generate_series(1, x.indnkeyatts) n) AS columns
    FROM pg_index x
    JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_class t ON t.oid = x.indrelid
    WHERE t.relname LIKE 'game\\_%'
      AND t.relname NOT IN ('game_account_groups', 'game_account_user_permissions')
      AND i.relname NOT LIKE '%\\_like'
)
SELECT short.name, short.columns, long.name, long.columns
FROM indexes short
JOIN indexes long USING (indrelid, predicate)
WHERE short.name <> long.name
  AND NOT short.is_unique
  AND long.columns[1:array_length(short.columns, 1)] = short.columns
"""


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="reads pg_index")
def test_no_index_is_a_prefix_of_another() -> None:
    with connection.cursor() as cursor:
        cursor.execute(PREFIXES)
        assert cursor.fetchall() == []


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="reads pg_index")
def test_planted_prefix_is_found() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX planted ON game_run (account_id)")
        cursor.execute(PREFIXES)
        assert ("planted", "run_of_account") in [(row[0], row[2]) for row in cursor]
