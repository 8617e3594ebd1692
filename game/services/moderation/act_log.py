"""The entries of acts in the audit log."""

import hashlib
from datetime import datetime
from typing import Any

from game.models import Act
from game.services.moderation.audit import audit_add


def act_log(act: Act, verb: str, staff_id: str | None, *, at: datetime) -> None:
    """Add an entry about the act; without staff, the server did it."""
    facts: dict[str, Any] = {
        "kind": act.kind,
        "reason": act.reason,
        "on": act.target,
        "case": act.case_id,
        "length_s": act.length_s,
        "second": act.second_id,
        "undoes": act.undoes_id,
        # The text is deleted with its account; its hash stays.
        "text": hashlib.sha256(act.text.encode()).hexdigest(),
    }
    audit_add(
        verb=verb,
        at=at,
        actor_id=staff_id,
        subject_id=act.subject_id,
        target=f"act:{act.id}",
        facts=facts,
    )
