"""The preferences that an account stores for the page, and their allowed values."""

from typing import Any

from rest_framework import serializers

from api.rest.core.bodies import Body, Text
from game.rules import RULESETS

ACTIONS = (
    *("card_1", "card_2", "card_3", "card_4", "armed", "bare", "avoid", "confirm"),
    *("unchoose", "help"),
)


class Keys(Body):
    """The key for each action of the game: a KeyboardEvent's `key`, such as "w"."""

    def get_fields(self) -> dict[str, Any]:
        """Return one short text field for each action."""
        return {
            action: Text(
                max_length=16, required=False, allow_null=True, trim_whitespace=False
            )
            for action in ACTIONS
        }


class Preferences(Body):
    """All optional; null resets a preference to its default."""

    theme = serializers.ChoiceField(
        ["system", "dark", "light", "contrast"], required=False, allow_null=True
    )
    suits = serializers.ChoiceField(["two", "four"], required=False, allow_null=True)
    patterns = serializers.BooleanField(required=False, allow_null=True)
    motion = serializers.ChoiceField(
        ["system", "full", "none"], required=False, allow_null=True
    )
    sound = serializers.BooleanField(required=False, allow_null=True)
    big_text = serializers.BooleanField(required=False, allow_null=True)
    learned = serializers.BooleanField(required=False, allow_null=True)
    keys = Keys(required=False, allow_null=True)
    ruleset = serializers.ChoiceField(list(RULESETS), required=False, allow_null=True)
