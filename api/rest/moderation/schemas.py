"""The shapes of reports, appeals and one's own standing."""

from rest_framework import serializers

from game.contest.moderation.acts import SANCTIONS
from game.contest.moderation.reasons import REASONS, CaseKind, ReportSource
from game.models import Appeal, Notice

S = serializers.Serializer
CASE_KINDS = [str(kind) for kind in CaseKind]
PLACES = [str(place) for place in ReportSource]


class ReportSerializer(S):  # type: ignore[type-arg]
    """A report of yours; what came of it stays between the house and the other."""

    id = serializers.CharField()
    player = serializers.CharField()
    kind = serializers.ChoiceField(choices=CASE_KINDS)
    place = serializers.ChoiceField(choices=PLACES)
    text = serializers.CharField()
    at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=["open", "looked_at"])


class ReportsSerializer(S):  # type: ignore[type-arg]
    """Your reports, newest first."""

    results = ReportSerializer(many=True)


class AppealSerializer(S):  # type: ignore[type-arg]
    """An appeal of yours; `outcome` is null until somebody has decided."""

    id = serializers.CharField()
    sanction = serializers.CharField()
    text = serializers.CharField()
    at = serializers.DateTimeField()
    outcome = serializers.ChoiceField(choices=Appeal.Outcome.choices, allow_null=True)
    answer = serializers.CharField()
    decided_at = serializers.DateTimeField(allow_null=True)


class AppealsSerializer(S):  # type: ignore[type-arg]
    """Your appeals, newest first."""

    results = AppealSerializer(many=True)


class SanctionSerializer(S):  # type: ignore[type-arg]
    """What was laid on your account. `until` is null for good, or where it has no
    length; `text` is the moderator's own.
    """

    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=sorted(str(kind) for kind in SANCTIONS))
    words = serializers.CharField()
    reason = serializers.ChoiceField(choices=list(REASONS))
    reason_words = serializers.CharField()
    text = serializers.CharField()
    target = serializers.CharField()
    at = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True)
    in_force = serializers.BooleanField()
    lifted_at = serializers.DateTimeField(allow_null=True)
    may_appeal = serializers.BooleanField()
    appeal = AppealSerializer(allow_null=True)


class NoticeSerializer(S):  # type: ignore[type-arg]
    """Something the house has told you."""

    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=Notice.Kind.choices)
    words = serializers.CharField()
    sanction = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()
    seen_at = serializers.DateTimeField(allow_null=True)


class StandingSerializer(S):  # type: ignore[type-arg]
    """How you stand, and all that was done about your account; newest first."""

    standing = serializers.ChoiceField(
        choices=["good", "limited", "suspended", "banned"]
    )
    sanctions = SanctionSerializer(many=True)
    notices = NoticeSerializer(many=True)
    reports = ReportSerializer(many=True)


class SeenSerializer(S):  # type: ignore[type-arg]
    """How many notices were new."""

    seen = serializers.IntegerField()
