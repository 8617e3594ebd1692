"""Compute again what the stored names look like, after an update of `look_alikes`."""

from collections.abc import Callable
from typing import Any

from game.contest.moderation.acts import ActKind
from game.models.accounts.name_keys import name_skeleton

_BATCH = 500


def names_rebuild(get_model: Callable[[str, str], Any]) -> int:
    """Store the skeleton of every name anew; return how many changed.

    `get_model`: that of the app registry, in a migration the one of its time.
    """
    return (
        _rebuild(get_model("game", "Account").objects, "name_skeleton", "name")
        + _rebuild(get_model("game", "OldName").objects, "skeleton", "name")
        # Of names of closed accounts only the key is stored.
        + _rebuild(get_model("game", "BannedName").objects, "skeleton", "key")
        + _rebuild_acts(get_model("game", "Act").objects)
    )


def _rebuild(rows: Any, field: str, source: str) -> int:
    changed = []
    for row in rows.only("pk", source, field).iterator(_BATCH):
        skeleton = name_skeleton(getattr(row, source))
        if getattr(row, field) != skeleton:
            setattr(row, field, skeleton)
            changed.append(row)
    rows.bulk_update(changed, [field], _BATCH)
    return len(changed)


def _rebuild_acts(rows: Any) -> int:
    changed = []
    for act in rows.filter(kind=ActKind.RENAME, facts__has_key="key").iterator(_BATCH):
        skeleton = name_skeleton(act.facts.get("name") or act.facts["key"])
        if act.facts.get("skeleton") != skeleton:
            act.facts["skeleton"] = skeleton
            changed.append(act)
    rows.bulk_update(changed, ["facts"], _BATCH)
    return len(changed)
