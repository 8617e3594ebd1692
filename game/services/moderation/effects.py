"""The effect of each kind of act and of its inverse.

Both are computed from the acts in force, so that undoing one of two acts on the same
target leaves the other in effect. `Act.latest` and `Act.changed_at` say under which act
and at what time a change is recorded.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from game.contest.moderation.acts import ActKind
from game.models import Act
from game.services.moderation import (
    effects_account,
    effects_case,
    effects_day,
    effects_race,
    effects_run,
)


class Effect(NamedTuple):
    """`do` runs once the act is in force, `undo` once it is undone."""

    do: Callable[[Act], None]
    undo: Callable[[Act], None]


def _nothing(_: Act) -> None:
    """A warning consists of its notice."""


_K = ActKind
_RESTRICTION: Final = Effect(effects_account.restrict, effects_account.restrict)
EFFECTS: Final[dict[ActKind, Effect]] = {
    _K.DISMISS: Effect(effects_case.dismiss, effects_case.reopen),
    _K.CLOSE: Effect(effects_case.close, effects_case.reopen),
    _K.WARN: Effect(_nothing, _nothing),
    _K.MUTE: _RESTRICTION,
    _K.SUSPEND_RATED: _RESTRICTION,
    _K.SUSPEND: _RESTRICTION,
    _K.BAN: Effect(effects_account.ban, effects_account.restrict),
    _K.RENAME: Effect(effects_account.rename, effects_account.give_name_back),
    _K.DELETE_TEXT: Effect(effects_case.delete_text, effects_case.restore_text),
    _K.HOLD_RACE: Effect(effects_race.hold, effects_race.release),
    _K.VOID_RACE: Effect(effects_race.void, effects_race.restore),
    _K.DISQUALIFY: Effect(effects_race.disqualify, effects_race.requalify),
    _K.VOID_RUN: Effect(effects_run.void_run, effects_run.restore_run),
    _K.VOID_DAILY: Effect(effects_run.refresh_daily, effects_run.refresh_daily),
    _K.BRIDGE_DAY: Effect(effects_day.bridge, effects_day.unbridge),
    _K.MARK_CHEAT: Effect(
        effects_race.refresh_cheat_mark, effects_race.refresh_cheat_mark
    ),
}
