"""Moves over the socket are counted and logged."""

import re
import urllib.request
from collections.abc import Callable
from typing import Any

from tests.api.ws.conftest import People
from tests.api.ws.web_process import WebProcess


def metrics(web: WebProcess) -> dict[str, float]:
    """The web process's counters of moves, by their labels."""
    with urllib.request.urlopen(f"{web.origin}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    found = [line for line in lines if line.startswith("scoundrel_moves_total{")]
    return {name: float(value) for name, value in (line.split() for line in found)}


def test_each_move_is_one_count_and_one_log_line(
    new_web: Callable[..., WebProcess], people: People
) -> None:
    web = new_web(LOG_LEVEL="INFO")
    ada, bob = people.guest(), people.guest()
    race_id = people.race(ada, bob)
    client = people.join(web, race_id, ada)
    people.start(race_id, ada, bob)
    shown = client.wait_until(lambda frame: frame["t"] == "run.observation")
    run: dict[str, Any] = shown["d"]["run"]
    code = run["legal"][0]["move"]
    assert client.ask("move.play", "k1", index=0, move=code)["t"] == "move.accepted"
    assert client.ask("move.play", "k1", index=0, move=code)["d"]["replayed"] is True
    assert client.ask("move.play", "k2", index=0, move=code)["t"] == "error"
    assert metrics(web) == {
        'scoundrel_moves_total{code="accepted",entry="ws"}': 1.0,
        'scoundrel_moves_total{code="replayed",entry="ws"}': 1.0,
        'scoundrel_moves_total{code="run.stale_index",entry="ws"}': 1.0,
    }
    plain = re.sub(r"\x1b\[[0-9;]*m", "", web.log.read_text())
    lines = [line for line in plain.splitlines() if "entry=ws" in line]
    assert len(lines) == 3
    for line, result in zip(
        lines, ("accepted", "replayed", "run.stale_index"), strict=True
    ):
        for part in (
            f"code={result}",
            f"account={ada.id}",
            f"race={race_id}",
            "index=0",
        ):
            assert part in line
    assert f"run={run['id']}" in lines[0]
