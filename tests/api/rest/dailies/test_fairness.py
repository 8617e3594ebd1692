"""REST: the signed heads and the chain, as third parties use them."""

import hashlib
import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.test import Client

from game.models import Commitment, Daily, Run
from game.services.dailies.beacons import beacon_round_store
from game.services.dailies.commitment_jobs import commitments_add_settled
from game.services.dailies.publish import dailies_publish, daily_choose_step
from game.services.dailies.settle import daily_settle
from game.services.moderation.audit import audit_add
from tests.fixtures.audit import without_chain_triggers
from tests.fixtures.beacons import NETWORK, signature_of
from tests.fixtures.dailies import DAY, MORNING, SETTLES
from tests.parts import ROOT

pytestmark = pytest.mark.django_db
FAIRNESS = "/api/v1/fairness/"


def test_heads_are_signed(daily: Daily, client: Client) -> None:
    audit_add(verb="role_set", at=MORNING)
    answer = client.get(FAIRNESS).json()
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(answer["public_key"]))
    key.verify(bytes.fromhex(answer["signature"]), answer["statement"].encode())
    dailies, audit = answer["dailies"], answer["audit"]
    assert answer["statement"] == (
        f"scoundrel-heads-1\nat {answer['at']}\n"
        f"dailies 33 {dailies['hash']}\naudit 1 {audit['hash']}\n"
    )
    assert answer["beacon"] is None


def test_empty_chains_have_heads(db: None, client: Client) -> None:
    answer = client.get(FAIRNESS).json()
    nothing = {"number": 0, "hash": "0" * 64}
    assert (answer["dailies"], answer["audit"]) == (nothing, nothing)
    assert client.get(f"{FAIRNESS}chain/").content == b""


@pytest.mark.parametrize("limit", [1, 7, 33, 500])
def test_chain_is_read_page_by_page(daily: Daily, client: Client, limit: int) -> None:
    lines: list[dict[str, Any]] = []
    while page := _page(client, after=len(lines), limit=limit):
        lines += page
    assert [line["number"] for line in lines] == list(range(1, 34))
    previous = "0" * 64
    for line in lines:
        assert hashlib.sha256(line["text"].encode()).hexdigest() == line["head"]
        assert json.loads(line["text"])["previous"] == previous
        previous = line["head"]
    assert client.get(FAIRNESS).json()["dailies"]["hash"] == previous


def _page(client: Client, **query: int) -> list[dict[str, Any]]:
    answer = client.get(f"{FAIRNESS}chain/", query)
    assert answer["Content-Type"] == "application/x-ndjson; charset=utf-8"
    return [json.loads(line) for line in answer.content.splitlines()]


@pytest.mark.parametrize("name", ["after", "limit"])
@pytest.mark.parametrize("value", ["x", "-1", "", "1.5", "9" * 5000, "\u0663"])
def test_junk_is_refused(db: None, client: Client, name: str, value: str) -> None:
    assert client.get(f"{FAIRNESS}chain/", {name: value}).status_code == 400


@pytest.mark.parametrize("limit", [0, 501])
def test_other_limits_are_refused(db: None, client: Client, limit: int) -> None:
    assert client.get(f"{FAIRNESS}chain/", {"limit": limit}).status_code == 400


def test_dailies_show_the_chain(daily: Daily, client: Client) -> None:
    with time_machine.travel(MORNING, tick=False):
        shown = client.get(f"/api/v1/dailies/{DAY}/").json()
        head = client.get(FAIRNESS).json()["dailies"]
        assert shown["chain"]["head"] == head
        assert client.get("/api/v1/dailies/").json()["chain"] == head
    kinds = [(entry["kind"], entry["number"]) for entry in shown["chain"]["entries"]]
    assert kinds == [("drawn", 2), ("chosen", 33)]
    assert shown["beacon"] is None


def test_daily_shows_its_public_value(
    quick: None, one_ruleset: None, client: Client, beacon: Callable[[int], str]
) -> None:
    dailies_publish(at=MORNING)
    daily = Daily.objects.get(on=SETTLES.date())
    number = daily.beacon_round
    assert number is not None

    def shown() -> dict[str, Any]:
        with time_machine.travel(MORNING, tick=False):
            found: dict[str, Any] = client.get(f"/api/v1/dailies/{daily.on}/").json()
        return found

    waiting = shown()["beacon"]
    assert (waiting["state"], waiting["signature"]) == ("waiting", None)
    assert waiting["published_at"] == "2027-03-17T22:00:00.000Z"
    assert (waiting["network"], waiting["chain"]) == ("quicknet", NETWORK.chain)
    beacon_round_store(number=number, signature=signature_of(number), at=MORNING)
    while not daily_choose_step(daily.id, at=MORNING):
        pass
    used = shown()["beacon"]
    assert (used["state"], used["signature"]) == ("used", signature_of(number))
    assert len(used["randomness"]) == 64
    Daily.objects.filter(id=daily.id).update(beacon_signature="")
    assert (shown()["beacon"]["state"], shown()["beacon"]["randomness"]) == (
        "missing",
        None,
    )
    assert client.get(FAIRNESS).json()["beacon"]["public_key"] == NETWORK.public_key


@pytest.fixture
def program(client: Client) -> Callable[[Path], None]:
    """docs/examples/check_chain.py, run against this site."""
    names = runpy.run_path(str(ROOT / "docs/examples/check_chain.py"))

    def fetch(url: str) -> str:
        return client.get(url.removeprefix("https://site.example")).content.decode()

    names["main"].__globals__["fetch"] = fetch
    fault = names["Fault"]

    def run(copy: Path) -> None:
        try:
            names["main"]("https://site.example", copy)
        except fault as found:
            raise AssertionError(str(found)) from found

    return run


def test_example_keeps_and_checks_a_copy(
    daily: Daily,
    played_daily: list[Run],
    program: Callable[[Path], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy = tmp_path / "chain.ndjson"
    program(copy)
    assert capsys.readouterr().out == "33 entries, 33 of them new.\n"
    daily_choose_step(daily.id, at=MORNING)
    daily_settle(daily.id, at=SETTLES)
    commitments_add_settled(at=SETTLES)
    program(copy)
    assert capsys.readouterr().out == (
        f"{DAY} tavern-1: published LATE, or before the chain began,"
        " decided by the master alone\n35 entries, 2 of them new.\n"
    )
    with without_chain_triggers():
        Commitment.objects.filter(number__gt=20)._raw_delete("default")
    with pytest.raises(AssertionError, match="Entry 35 of the copy is no longer"):
        program(copy)
