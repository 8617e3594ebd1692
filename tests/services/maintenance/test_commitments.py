"""verify_invariants finds each thing that an operator could change about a daily.

Each change is planted as by somebody with the database password, with the triggers
off. Where the key is needed to hide it, only a kept copy shows it
(`tests/management/test_verify_chain.py`).
"""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from game.contest.chain import entry_hash
from game.contest.drawing import candidate_seed
from game.models import (
    Assessment,
    AuditEntry,
    AuditHead,
    BeaconRound,
    Commitment,
    CommitmentHead,
    Daily,
    DailyDigest,
)
from game.rules import seal_of
from game.services.dailies.beacons import beacon_round_store
from game.services.dailies.commitment_jobs import (
    commitments_add_audit_head,
    commitments_add_settled,
)
from game.services.dailies.commitments import commitment_links
from game.services.dailies.publish import dailies_publish, daily_choose_step
from game.services.dailies.settle import daily_settle
from game.services.maintenance.invariants import choices
from game.services.maintenance.invariants import commitments as invariant
from game.services.moderation.audit import audit_add
from game.services.runs.dungeons import seed_decrypt, seed_encrypt
from tests.fixtures.audit import without_chain_triggers
from tests.fixtures.beacons import signature_of
from tests.fixtures.dailies import DAY, MORNING, SETTLES, assess_quickly
from tests.fixtures.moderation import staff

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
LATER = SETTLES + timedelta(hours=1)
SETTLED, CHOSEN, AHEAD = (DAY + timedelta(days=n) for n in (0, 1, 9))


@pytest.fixture
def site(
    db: None, quick: None, one_ruleset: None, beacon: Callable[[int], str]
) -> None:
    """A settled day, one that is chosen with its public value, and days ahead."""
    dailies_publish(at=MORNING)
    named = Daily.objects.get(on=CHOSEN).beacon_round
    assert named is not None
    beacon_round_store(number=named, signature=signature_of(named), at=SETTLES)
    for on in (SETTLED, CHOSEN):
        while not daily_choose_step(Daily.objects.get(on=on).id, at=MORNING):
            pass
    daily_settle(Daily.objects.get(on=SETTLED).id, at=SETTLES)
    commitments_add_settled(at=SETTLES)
    staff("Mona")
    commitments_add_audit_head(at=SETTLES)
    assert found() == []


def found() -> list[str]:
    return [str(one) for one in invariant.breaches(at=LATER)]


def replace_master(on: date) -> None:
    """Another master with a matching seal, which I10 does not notice."""
    daily = Daily.objects.get(on=on)
    master = "ab" * 32
    daily.master_sealed = seed_encrypt(master, daily.id)
    daily.master_seal = seal_of(master)
    daily.save()


def redraw(on: date) -> None:
    """Delete a day; the site then draws it anew."""
    Daily.objects.filter(on=on).delete()
    dailies_publish(at=MORNING)


def choose_another(on: date) -> None:
    """The next candidate, with everything of the rows in agreement."""
    daily = Daily.objects.select_related("dungeon").get(on=on)
    dungeon = daily.dungeon
    assert dungeon is not None
    assert daily.candidate is not None
    daily.candidate += 1
    master = seed_decrypt(daily.id, daily.master_sealed)
    seed = candidate_seed(master, daily.candidate)
    dungeon.seal, dungeon.seed_sealed = seal_of(seed), seed_encrypt(seed, dungeon.id)
    dungeon.save()
    daily.save()


def later(on: date, **fields: timedelta) -> None:
    daily = Daily.objects.get(on=on)
    for name, span in fields.items():
        setattr(daily, name, getattr(daily, name) + span)
    daily.save()


def rechained(change: Callable[[Commitment], None]) -> None:
    """Change the entry of the day ahead and hash all later ones anew, unsigned."""
    with without_chain_triggers():
        previous = "0" * 64
        for row in Commitment.objects.order_by("number"):
            if row.on == AHEAD:
                change(row)
            link = next(commitment_links(after=row.number - 1))
            row.previous = previous
            row.hash = previous = entry_hash(row.number, link.facts, previous)
            row.save()
        CommitmentHead.objects.update(hash=previous)


def changed_facts(row: Commitment) -> None:
    Commitment.objects.filter(number=row.number).update(
        facts=row.facts.replace('"planned":"', '"planned":"x')
    )


def cut(count: int) -> None:
    """Remove the last entries and fit the head."""
    with without_chain_triggers():
        last = CommitmentHead.objects.get().count - count
        Commitment.objects.filter(number__gt=last)._raw_delete("default")
        CommitmentHead.objects.update(
            count=last, hash=Commitment.objects.get(number=last).hash
        )


def rewrite_audit_log() -> None:
    """Another log, as long as the real one, signed with the key."""
    with without_chain_triggers():
        AuditEntry.objects.all()._raw_delete("default")
        AuditHead.objects.all()._raw_delete("default")
    audit_add(verb="role_set", at=MORNING)


def forge_value() -> None:
    other = signature_of(1)
    BeaconRound.objects.update(signature=other)
    Daily.objects.filter(on=CHOSEN).update(beacon_signature=other)


def _remove(number: int) -> None:
    with without_chain_triggers():
        Commitment.objects.filter(number=number)._raw_delete("default")


def _filed_elsewhere() -> None:
    with without_chain_triggers():
        Commitment.objects.filter(number=11).update(on=DAY + timedelta(days=99))


PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "future master replaced": (
        lambda: replace_master(AHEAD),
        f"daily {AHEAD} tavern-1: has another master_seal than was published",
    ),
    "day redrawn": (
        lambda: redraw(AHEAD),
        f"daily {AHEAD} tavern-1: was published again",
    ),
    "day deleted": (
        lambda: Daily.objects.filter(on=AHEAD).delete(),
        f"daily {AHEAD} tavern-1: was published, and is gone",
    ),
    "day added": (
        lambda: Daily.objects.filter(on=AHEAD).update(on=DAY + timedelta(days=99)),
        "is not in the chain",
    ),
    "another candidate chosen": (
        lambda: choose_another(SETTLED),
        f"daily {SETTLED} tavern-1: has another seal than was published",
    ),
    "reason of the choice changed": (
        lambda: Daily.objects.filter(on=CHOSEN).update(choice="winnable"),
        f"daily {CHOSEN} tavern-1: has another choice than was published",
    ),
    "dungeon removed": (
        lambda: Daily.objects.filter(on=CHOSEN).update(
            dungeon=None, candidate=None, choice="", chosen_at=None
        ),
        f"daily {CHOSEN} tavern-1: has lost its published dungeon",
    ),
    "difficulty label changed": (
        lambda: Assessment.objects.update(band="hard", cleared=1),
        "has another label_seal than was published",
    ),
    "difficulty label removed": (
        lambda: Assessment.objects.all().delete(),
        "has lost its difficulty",
    ),
    "planned difficulty changed": (
        lambda: Daily.objects.filter(on=AHEAD).update(planned="x"),
        f"daily {AHEAD} tavern-1: has another planned than was published",
    ),
    "opening moved": (
        lambda: later(AHEAD, opens_at=timedelta(hours=-1)),
        f"daily {AHEAD} tavern-1: has another opens_at than was published",
    ),
    "close moved": (
        lambda: later(
            AHEAD, closes_at=timedelta(minutes=1), settles_at=timedelta(minutes=1)
        ),
        f"daily {AHEAD} tavern-1: has another settles_at than was published",
    ),
    "time of the draw changed": (
        lambda: later(AHEAD, drawn_at=timedelta(days=-1)),
        f"daily {AHEAD} tavern-1: has another drawn_at than was published",
    ),
    "another round named": (
        lambda: Daily.objects.filter(on=AHEAD).update(beacon_round=5),
        f"daily {AHEAD} tavern-1: names another round than it must",
    ),
    "named round removed": (
        lambda: Daily.objects.filter(on=AHEAD).update(beacon_round=None),
        f"daily {AHEAD} tavern-1: has another beacon than was published",
    ),
    "public value forged": (
        forge_value,
        f"daily {CHOSEN} tavern-1: uses a public value that is not genuine",
    ),
    "public value dropped": (
        lambda: Daily.objects.filter(on=CHOSEN).update(beacon_signature=""),
        f"daily {CHOSEN} tavern-1: has another beacon_signature than was published",
    ),
    "board exchanged": (
        lambda: DailyDigest.objects.update(digest="0" * 64),
        f"daily {SETTLED} tavern-1: revision 1 is not the published board",
    ),
    "board removed": (
        lambda: DailyDigest.objects.all().delete(),
        f"daily {SETTLED} tavern-1: has lost revision 1 of its board",
    ),
    "entry changed": (
        lambda: rechained(changed_facts),
        "commitment 11: has a wrong signature",
    ),
    "entry filed under another day": (
        _filed_elsewhere,
        "commitment 11: is filed as another entry",
    ),
    "entry removed": (lambda: _remove(11), "entry 11 is missing before entry 12"),
    "end of the chain removed": (lambda: cut(4), "is not published"),
    "head turned back": (
        lambda: _with_head(count=3),
        "is the last found, of 3 that were written",
    ),
    "audit log written anew": (
        rewrite_audit_log,
        "I12 audit 1: is not the entry that the chain has",
    ),
}


def _with_head(count: int) -> None:
    with without_chain_triggers():
        CommitmentHead.objects.update(count=count)


@pytest.mark.parametrize("name", PLANTED)
def test_planted_change_is_found(site: None, name: str) -> None:
    plant, expected = PLANTED[name]
    plant()
    assert any(expected in one for one in found()), found()


def test_missing_triggers_are_found(site: None) -> None:
    with without_chain_triggers():
        missing = [one for one in found() if "is not there" in one]
        assert len(missing) == 6
    assert found() == []


def test_solver_confirms_the_choice(
    site: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "seed_assess", assess_quickly)
    assert list(choices.breaches(days=9)) == []
    assert list(choices.breaches(days=0)) == []
    Assessment.objects.filter(dungeon__daily__on=CHOSEN).update(cleared=1)
    Daily.objects.filter(on=SETTLED).update(candidate=23)
    texts = [str(one) for one in choices.breaches(days=9)]
    assert f"I21 daily {CHOSEN} tavern-1: has another difficulty" in "".join(texts)
    assert f"I21 daily {SETTLED} tavern-1: has another dungeon than" in "".join(texts)
