"""The shapes of dailies and boards, for OpenAPI alone: selectors build them."""

from rest_framework import serializers

from game.contest.calendar import Band, DailyPhase
from game.contest.drawing import SelectionReason
from game.contest.ranking import BOARDS, BoardPeriod, BoardPool, BoardValue
from game.models import Run
from game.rules import RULESETS

S = serializers.Serializer


class DailyYouSerializer(S):  # type: ignore[type-arg]
    """Your own part in a daily; all but `may_rank` are null before your attempt."""

    may_rank = serializers.BooleanField()
    run = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(choices=Run.Status.choices, allow_null=True)
    ranked = serializers.BooleanField(allow_null=True)
    score = serializers.IntegerField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    of = serializers.IntegerField(allow_null=True)
    percentile = serializers.FloatField(allow_null=True)


class AssessmentSerializer(S):  # type: ignore[type-arg]
    """What the analysis found the dungeon to be: shown after the reveal."""

    winnable = serializers.BooleanField()
    best = serializers.IntegerField(allow_null=True)
    cleared = serializers.IntegerField()
    games = serializers.IntegerField()
    band = serializers.ChoiceField(choices=list(Band))
    version = serializers.CharField()


class DailyLineSerializer(S):  # type: ignore[type-arg]
    """A daily in a list; `seal` is null until its dungeon has been chosen, `band` (how
    hard it was found to be) until the reveal.
    """

    date = serializers.DateField()
    number = serializers.IntegerField()
    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    difficulty = serializers.ChoiceField(choices=["easy", "normal", "hard"])
    phase = serializers.ChoiceField(choices=list(DailyPhase))
    planned = serializers.ChoiceField(choices=list(Band))
    band = serializers.ChoiceField(choices=list(Band), allow_null=True)
    seal = serializers.CharField(allow_null=True)
    master_seal = serializers.CharField()
    drawn_at = serializers.DateTimeField()
    opens_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    players = serializers.IntegerField()


class DailySerializer(DailyLineSerializer):
    """One daily; seed, master, candidate and assessment come with the reveal."""

    ends_at = serializers.DateTimeField()
    settles_at = serializers.DateTimeField()
    seed = serializers.CharField(allow_null=True)
    master = serializers.CharField(allow_null=True)
    candidate = serializers.IntegerField(allow_null=True)
    choice = serializers.ChoiceField(choices=list(SelectionReason), allow_null=True)
    assessment = AssessmentSerializer(allow_null=True)
    digest = serializers.CharField(allow_null=True)
    revision = serializers.IntegerField(allow_null=True)
    you = DailyYouSerializer(allow_null=True)


class DailiesSerializer(S):  # type: ignore[type-arg]
    """The archive, newest first; on its first page also the seals ahead."""

    results = DailyLineSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    ahead = DailyLineSerializer(many=True)


class EntrySerializer(S):  # type: ignore[type-arg]
    """One line of a board; `value` is what the board's `value` says it is."""

    rank = serializers.IntegerField()
    player = serializers.CharField()
    is_you = serializers.BooleanField()
    value = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    cleared = serializers.BooleanField(allow_null=True)
    elapsed_ms = serializers.IntegerField(allow_null=True)
    run = serializers.CharField(allow_null=True)


class BoardMeSerializer(S):  # type: ignore[type-arg]
    """Your own place on a board."""

    rank = serializers.IntegerField()
    value = serializers.IntegerField()
    percentile = serializers.FloatField()
    run = serializers.CharField(allow_null=True)


class CurvePointSerializer(S):  # type: ignore[type-arg]
    """How many players came to a score."""

    score = serializers.IntegerField()
    players = serializers.IntegerField()


class BoardSerializer(S):  # type: ignore[type-arg]
    """A page of a board.

    `hidden`: a daily's board before your own attempt is over: only `players` is told.
    """

    board = serializers.ChoiceField(choices=list(BOARDS))
    name = serializers.CharField()
    value = serializers.ChoiceField(choices=list(BoardValue))
    ruleset = serializers.ChoiceField(choices=list(RULESETS), allow_null=True)
    difficulty = serializers.ChoiceField(
        choices=["easy", "normal", "hard"], allow_null=True
    )
    of = serializers.CharField(allow_null=True)
    pool = serializers.ChoiceField(choices=list(BoardPool))
    hidden = serializers.BooleanField()
    provisional = serializers.BooleanField()
    closed_at = serializers.DateTimeField(allow_null=True)
    settled_at = serializers.DateTimeField(allow_null=True)
    digest = serializers.CharField(allow_null=True)
    revision = serializers.IntegerField(allow_null=True)
    players = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField(allow_null=True)
    results = EntrySerializer(many=True)
    next = serializers.URLField(allow_null=True)
    me = BoardMeSerializer(allow_null=True)
    curve = CurvePointSerializer(many=True)


class BoardKindSerializer(S):  # type: ignore[type-arg]
    """A kind of board; `spans` are those kept, newest first."""

    board = serializers.ChoiceField(choices=list(BOARDS))
    name = serializers.CharField()
    words = serializers.CharField()
    over = serializers.ChoiceField(choices=list(BoardPeriod))
    value = serializers.ChoiceField(choices=list(BoardValue))
    by_ruleset = serializers.BooleanField()
    by_difficulty = serializers.BooleanField()
    spans = serializers.ListField(child=serializers.CharField())


class BoardKindsSerializer(S):  # type: ignore[type-arg]
    """Every kind of board."""

    results = BoardKindSerializer(many=True)


class StreakSerializer(S):  # type: ignore[type-arg]
    """Days in a row; `freeze_ready_on` is null while a freeze is there."""

    current = serializers.IntegerField()
    longest = serializers.IntegerField()
    played_today = serializers.BooleanField()
    last_on = serializers.DateField(allow_null=True)
    frozen_on = serializers.DateField(allow_null=True)
    freeze_ready_on = serializers.DateField(allow_null=True)


class YearDaySerializer(S):  # type: ignore[type-arg]
    """An attempt of yours."""

    date = serializers.DateField()
    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    run = serializers.CharField()
    status = serializers.ChoiceField(choices=Run.Status.choices)
    score = serializers.IntegerField(allow_null=True)
    ranked = serializers.BooleanField()


class BadgeSerializer(S):  # type: ignore[type-arg]
    """A badge you have earned."""

    key = serializers.CharField()
    name = serializers.CharField()
    words = serializers.CharField()
    earned_on = serializers.DateField()


class YearSerializer(S):  # type: ignore[type-arg]
    """A year of your dailies."""

    year = serializers.IntegerField()
    days = YearDaySerializer(many=True)
    streak = StreakSerializer()
    badges = BadgeSerializer(many=True)


class MarkSerializer(S):  # type: ignore[type-arg]
    """A mark of the text, in words."""

    mark = serializers.CharField()
    words = serializers.CharField()


class ShareSerializer(S):  # type: ignore[type-arg]
    """What you may show of your attempt; `path` and `picture` are of this site."""

    text = serializers.CharField()
    path = serializers.CharField()
    picture = serializers.CharField()
    marks = MarkSerializer(many=True)
