"""The published rulesets, with each field explained in a sentence."""

from game.rules import DEFAULT_RULESET, RULESETS, Ruleset
from game.rules.rulesets import Avoid, ClearScore, DeathScore, Limit
from game.selectors.runs import schemas as runs_schemas

_WORDS: dict[str, str] = {
    Limit.STRICTLY_WEAKER: "After a kill, a weapon only reaches monsters weaker than"
    " the last one it slew.",
    Limit.EQUAL_OR_WEAKER: "After a kill, a weapon only reaches monsters as strong as"
    " the last one it slew, or weaker.",
    Avoid.NOT_TWICE: "A full room may be avoided before you face a card in it, but"
    " never two rooms in a row.",
    Avoid.NEVER: "No room may be avoided.",
    DeathScore.HEALTH_LESS_ALL: "Dead: your health (0 or below) less every monster"
    " still in the room and the dungeon.",
    DeathScore.LESS_DUNGEON: "Dead: minus every monster still in the dungeon; the room"
    " does not count.",
    DeathScore.HEALTH_LESS_DUNGEON: "Dead: your health (0 or below) less every monster"
    " still in the dungeon; the room does not count.",
    ClearScore.HEALTH: "Cleared: the health you have left.",
    ClearScore.POTION_LEAVES_AT_CAP: "Cleared: the health you have left, and if the"
    " last card you faced was a potion and you end at full health, its value on top.",
    ClearScore.POTION_MET_AT_CAP: "Cleared: the health you have left, and if the last"
    " card was a potion that you met at full health, its value on top.",
}


def rulesets_list() -> list[runs_schemas.Ruleset]:
    """Every published ruleset: its fields, and what each means."""
    return [_show(ruleset) for ruleset in RULESETS.values()]


def _show(ruleset: Ruleset) -> runs_schemas.Ruleset:
    return {
        "key": ruleset.key,
        "name": ruleset.name,
        "is_default": ruleset.key == DEFAULT_RULESET,
        "source": ruleset.source,
        "summary": ruleset.summary,
        "weapon_limit": ruleset.limit,
        "avoid": ruleset.avoid,
        "death_score": ruleset.death,
        "clear_score": ruleset.clear,
        "difficulties": [
            {
                "key": level.key,
                "health": level.health,
                "cap": level.cap,
                "is_default": level.key == "normal",
            }
            for level in ruleset.difficulties
        ],
        "words": {
            "weapon_limit": _WORDS[ruleset.limit],
            "avoid": _WORDS[ruleset.avoid],
            "death_score": _WORDS[ruleset.death],
            "clear_score": _WORDS[ruleset.clear],
        },
    }
