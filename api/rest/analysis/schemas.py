"""The shapes of reviews, solutions and "what if", for OpenAPI alone."""

from rest_framework import serializers

from api.rest.core.schemas import (
    BlockedMoveSerializer,
    EffectSerializer,
    LegalMoveSerializer,
    PartSerializer,
    TableSerializer,
)
from game.models import Study
from game.rules import MOVES

S = serializers.Serializer
_STATES = ["none", *Study.Status.values]


def _moves() -> serializers.ListField:
    return serializers.ListField(child=serializers.ChoiceField(choices=list(MOVES)))


class StudySerializer(S):  # type: ignore[type-arg]
    """The progress of a study; the other fields are present once it is done."""

    run = serializers.CharField()
    seal = serializers.CharField()
    version = serializers.CharField()
    status = serializers.ChoiceField(choices=_STATES)
    progress = serializers.FloatField(min_value=0, max_value=1)


class MoveReviewSerializer(S):  # type: ignore[type-arg]
    """One move: its exact loss, and how it changed the chance of a clearance."""

    index = serializers.IntegerField()
    move = serializers.ChoiceField(choices=list(MOVES))
    value_before = serializers.IntegerField()
    value_after = serializers.IntegerField()
    loss = serializers.IntegerField()
    better = serializers.ChoiceField(choices=list(MOVES), allow_null=True)
    line = _moves()
    chance_before = serializers.FloatField(allow_null=True)
    chance_after = serializers.FloatField(allow_null=True)
    chance_error = serializers.FloatField(allow_null=True)
    chance_change = serializers.FloatField(allow_null=True)


class TurningPointSerializer(S):  # type: ignore[type-arg]
    """One of the moves that lost the most, with a sentence about it."""

    index = serializers.IntegerField()
    loss = serializers.IntegerField()
    words = serializers.CharField()


class ReviewSerializer(StudySerializer):
    """The review of a run."""

    values = serializers.ListField(child=serializers.IntegerField(), required=False)
    moves = MoveReviewSerializer(many=True, required=False)
    turning_points = TurningPointSerializer(many=True, required=False)
    accuracy = serializers.FloatField(allow_null=True, required=False)
    final_score = serializers.IntegerField(required=False)
    best = serializers.IntegerField(required=False)
    given_up = serializers.IntegerField(required=False)
    proven = serializers.BooleanField(required=False)


class SolutionSerializer(StudySerializer):
    """The best play from a position, with the card order known."""

    best = serializers.IntegerField(required=False)
    proven = serializers.BooleanField(required=False)
    bound = serializers.IntegerField(required=False)
    line = serializers.ListField(
        child=serializers.ChoiceField(choices=list(MOVES)), required=False
    )


class ObservationSerializer(TableSerializer):
    """A table with its legal moves and scores."""

    legal = LegalMoveSerializer(many=True)
    blocked = BlockedMoveSerializer(many=True)
    score = serializers.IntegerField(allow_null=True)
    potential_score = serializers.IntegerField()
    breakdown = PartSerializer(many=True, allow_null=True)


class WhatIfSerializer(S):  # type: ignore[type-arg]
    """The table after other moves; `effects` are those of the last one."""

    run = serializers.CharField()
    seal = serializers.CharField()
    index = serializers.IntegerField()
    moves = _moves()
    effects = EffectSerializer(many=True)
    observation = ObservationSerializer()
