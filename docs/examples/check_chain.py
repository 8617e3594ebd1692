"""Keep a copy of a site's chain of commitments, and check the site against it.

    python check_chain.py https://scoundrel.example chain.ndjson

The first run writes the copy. Each later run checks that the site still publishes what
is in it, adds what is new, and checks every revealed daily: that it is the one that was
published before it opened, and that its seed follows from the master and the public
value. Exit code 1 if something differs. Run it daily, on a machine that the site's
operator cannot change.

Only Python's standard library is needed. With the package `cryptography` it checks the
site's signatures, too. What it cannot check: that the public value is the one that the
network published (it prints the address to compare with), and the difficulty, which
needs the solver of the site's source code.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    Ed25519PublicKey = None  # type: ignore[assignment, misc]

DRAND = "https://api.drand.sh"


class Fault(Exception):  # noqa: N818
    """What the site publishes now differs from what it published before."""


def fetch(url: str) -> str:
    """Return the text at an address."""
    with urlopen(url, timeout=20) as answer:
        return str(answer.read().decode())


def sha256(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def hmac_sha256(key: str, text: str) -> str:
    """Return the HMAC-SHA256 of a text, in hexadecimal."""
    return hmac.new(key.encode(), text.encode(), "sha256").hexdigest()


def is_signed(key: str, text: str, signature: str) -> bool | None:
    """Return whether an Ed25519 key signed the text; None without `cryptography`."""
    if Ed25519PublicKey is None:
        return None
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    try:
        public.verify(bytes.fromhex(signature), text.encode())
    except InvalidSignature:
        return False
    return True


def lines_of(text: str) -> list[dict[str, Any]]:
    """Return the objects of a text that has one JSON object on each line."""
    return [json.loads(line) for line in text.splitlines() if line]


def newer_entries(site: str, after: int) -> Iterator[dict[str, Any]]:
    """Yield the entries that a site publishes after a number, page by page."""
    while page := lines_of(fetch(f"{site}/api/v1/fairness/chain/?after={after}")):
        yield from page
        after = page[-1]["number"]


def check_entries(entries: list[dict[str, Any]]) -> None:
    """Check hashes, order and signatures of a chain from its first entry."""
    previous = "0" * 64
    for number, entry in enumerate(entries, start=1):
        inner = json.loads(entry["text"])
        if sha256(entry["text"]) != entry["head"]:
            raise Fault(f"Entry {number}: its head is not the hash of its text.")
        if (inner["number"], inner["previous"]) != (number, previous):
            raise Fault(f"Entry {number}: it does not follow on the entry before it.")
        signed = f"scoundrel-entry-1 dailies {entry['head']}"
        if is_signed(inner["facts"]["key"], signed, entry["signature"]) is False:
            raise Fault(f"Entry {number}: its signature is wrong.")
        previous = entry["head"]


def check_heads(site: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Check the signed heads of a site against the chain; return the answer."""
    answer: dict[str, Any] = json.loads(fetch(f"{site}/api/v1/fairness/"))
    if (
        is_signed(answer["public_key"], answer["statement"], answer["signature"])
        is False
    ):
        raise Fault("The signature of the heads is wrong.")
    number, head = answer["dailies"]["number"], answer["dailies"]["hash"]
    if f"\ndailies {number} {head}\n" not in answer["statement"]:
        raise Fault("The signed text has another head than the answer.")
    if number > len(entries):
        entries += newer_entries(site, len(entries))
        check_entries(entries)
    if number > len(entries) or (number and entries[number - 1]["head"] != head):
        raise Fault(f"The signed head is not entry {number} of the chain.")
    return answer


def days_of(entries: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return what was published about each daily: {(day, ruleset): {kind: facts}}."""
    days: dict[tuple[str, str], dict[str, Any]] = {}
    for entry in entries:
        facts = json.loads(entry["text"])["facts"]
        if "day" not in facts:
            continue
        day = days.setdefault((facts["day"], facts["ruleset"]), {})
        kind = "drawn" if facts["kind"] == "adopted" else facts["kind"]
        if kind in ("drawn", "chosen", "assessed") and kind in day:
            raise Fault(f"{facts['day']} {facts['ruleset']} was {kind} twice.")
        day[kind] = facts
    return days


def check_day(day: dict[str, Any]) -> str:
    """Check a revealed daily; return how its dungeon was decided."""
    drawn, chosen, settled = day["drawn"], day["chosen"], day["settled"]
    name = f"{drawn['day']} {drawn['ruleset']}"
    master, beacon = settled["master"], drawn["beacon"]
    key, how = master, "by the master alone"
    if sha256(master) != drawn["master_seal"]:
        raise Fault(f"{name}: the master is not the one that was published.")
    if chosen["beacon_signature"]:
        value = hashlib.sha256(bytes.fromhex(chosen["beacon_signature"])).hexdigest()
        key = hmac_sha256(master, f"scoundrel-beacon-v1:{beacon['round']}:{value}")
        where = f"{DRAND}/{beacon['chain']}/public/{beacon['round']}"
        how = f"with the public value {value[:12]}, see {where}"
    elif beacon:
        how = f"WITHOUT the public value of round {beacon['round']} that it had named"
    if (
        hmac_sha256(key, f"scoundrel-daily-v1:{settled['candidate']}")
        != settled["seed"]
    ):
        raise Fault(f"{name}: the seed does not follow from the master.")
    if sha256(settled["seed"]) != chosen["seal"]:
        raise Fault(f"{name}: the seed is not the one that was published.")
    if "assessed" in day:
        label = json.dumps(settled["label"], separators=(",", ":"), sort_keys=True)
        seal = hmac_sha256(master, f"scoundrel-label-v1:{label}")
        if seal != day["assessed"]["label_seal"]:
            raise Fault(f"{name}: the difficulty is not the one that was published.")
    early = chosen["at"] <= drawn["opens_at"] and drawn["kind"] == "drawn"
    when = "before it opened" if early else "LATE, or before the chain began"
    return f"{name}: published {when}, decided {how}"


def main(site: str, file: Path) -> None:
    """Check the site against the copy, and add to the copy what is new."""
    kept = lines_of(file.read_text()) if file.exists() else []
    entries = [line for line in kept if "text" in line]
    check_entries(entries)
    if entries:
        last = entries[-1]["number"]
        now = lines_of(fetch(f"{site}/api/v1/fairness/chain/?after={last - 1}&limit=1"))
        if not now or now[0]["head"] != entries[-1]["head"]:
            raise Fault(f"Entry {last} of the copy is no longer what the site has.")
    known = len(entries)
    answer = check_heads(site, entries)
    for day in days_of(entries).values():
        if "settled" in day:
            print(check_day(day))
    with file.open("a") as copy:
        for line in [*entries[known:], answer]:
            copy.write(json.dumps(line) + "\n")
    print(f"{len(entries)} entries, {len(entries) - known} of them new.")


if __name__ == "__main__":
    try:
        main(sys.argv[1].rstrip("/"), Path(sys.argv[2]))
    except Fault as fault:
        sys.exit(str(fault))
