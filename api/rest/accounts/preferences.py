"""Preferences: what a player may set, and to what. Kept for him, read by the page."""

from typing import Any

from rest_framework import serializers

from api.rest.core.bodies import Body, Text
from game.rules import RULESETS

ACTIONS = (
    *("card_1", "card_2", "card_3", "card_4", "armed", "bare", "avoid", "confirm"),
    *("unchoose", "help"),
)


class Keys(Body):
    """Which key does what at the table: a KeyboardEvent's `key`, such as "w"."""

    def get_fields(self) -> dict[str, Any]:
        """One short text an action."""
        return {
            action: Text(
                max_length=16, required=False, allow_null=True, trim_whitespace=False
            )
            for action in ACTIONS
        }


class Preferences(Body):
    """All optional; null takes a setting back."""

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
    keys = Keys(required=False, allow_null=True)
    ruleset = serializers.ChoiceField(list(RULESETS), required=False, allow_null=True)
