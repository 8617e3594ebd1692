"""Which effect each act has, and its way back. `acts` calls them in its transaction.

Whatever both do is derived from the acts in force, so that two acts on one thing do
not undo each other.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from game.contest.moderation.acts import ActKind
from game.services.moderation import (
    effects_account,
    effects_case,
    effects_race,
    effects_run,
)
from game.services.moderation.effect_context import Effected


class Effect(NamedTuple):
    """What an act does, and how it is taken back."""

    do: Callable[[Effected], None]
    undo: Callable[[Effected], None]


def _nothing(_: Effected) -> None:
    """A warning is its notice."""


_K = ActKind
_STANDING: Final = Effect(effects_account.standing, effects_account.standing)
EFFECTS: Final[dict[ActKind, Effect]] = {
    _K.DISMISS: Effect(effects_case.dismiss, effects_case.reopen),
    _K.CLOSE: Effect(effects_case.close, effects_case.reopen),
    _K.WARN: Effect(_nothing, _nothing),
    _K.MUTE: _STANDING,
    _K.SUSPEND_RATED: _STANDING,
    _K.SUSPEND: _STANDING,
    _K.BAN: Effect(effects_account.ban, effects_account.standing),
    _K.RENAME: Effect(effects_account.rename, effects_account.rename_back),
    _K.DELETE_TEXT: Effect(effects_case.delete_text, effects_case.restore_text),
    _K.HOLD_RACE: Effect(effects_race.hold, effects_race.release),
    _K.VOID_RACE: Effect(effects_race.void, effects_race.restore),
    _K.DISQUALIFY: Effect(effects_race.disqualify, effects_race.requalify),
    _K.VOID_RUN: Effect(effects_run.void_run, effects_run.restore_run),
    _K.VOID_DAILY: Effect(effects_run.void_daily, effects_run.void_daily),
    _K.MARK_CHEAT: Effect(effects_race.mark_cheat, effects_race.mark_cheat),
}
