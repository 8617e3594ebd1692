"""The shapes of answers, for OpenAPI alone: selectors build them, nothing here does."""

from rest_framework import serializers

from game.models import SCOPES, Run
from game.rules import CARDS, MOVES, RULESETS

S = serializers.Serializer
CARD = "^[2-9TJQKA][CS]$|^[2-9T][DH]$"


def _codes() -> serializers.ListField:
    return serializers.ListField(child=serializers.RegexField(CARD))


class ProblemSerializer(S):  # type: ignore[type-arg]
    """An error; more fields may follow, such as `run` or `errors`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()


class AccountSerializer(S):  # type: ignore[type-arg]
    """Your own account."""

    id = serializers.CharField()
    name = serializers.CharField()
    email = serializers.EmailField(allow_null=True)
    is_guest = serializers.BooleanField()
    is_bot = serializers.BooleanField()
    is_verified = serializers.BooleanField()
    staff_role = serializers.CharField(
        help_text='"", or the role that opens the desk: helper, moderator, '
        "administrator. Programs are told none."
    )
    preferences = serializers.DictField()
    notices = serializers.IntegerField(help_text="Told you, and not seen yet.")
    created_at = serializers.DateTimeField()


class BlockSerializer(S):  # type: ignore[type-arg]
    """A player you have blocked."""

    player = serializers.CharField()
    since = serializers.DateTimeField()


class BlocksSerializer(S):  # type: ignore[type-arg]
    """All whom you have blocked."""

    results = BlockSerializer(many=True)


class TokenSerializer(S):  # type: ignore[type-arg]
    """A token, without what makes it one."""

    id = serializers.CharField()
    name = serializers.CharField()
    starts_with = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(SCOPES)))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True)


class TokensSerializer(S):  # type: ignore[type-arg]
    """Your tokens."""

    results = TokenSerializer(many=True)


class NewTokenSerializer(TokenSerializer):
    """A token just made, with its text this once."""

    token = serializers.RegexField("^sdl_[0-9a-f]{64}$")


class BestSerializer(S):  # type: ignore[type-arg]
    """A player's best under one ruleset and difficulty."""

    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    difficulty = serializers.ChoiceField(choices=["easy", "normal", "hard"])
    score = serializers.IntegerField()
    runs = serializers.IntegerField()
    cleared = serializers.IntegerField()


class PlayerSerializer(S):  # type: ignore[type-arg]
    """A player's public profile."""

    name = serializers.CharField()
    since = serializers.DateTimeField()
    is_bot = serializers.BooleanField()
    is_guest = serializers.BooleanField()
    runs = serializers.IntegerField()
    cleared = serializers.IntegerField()
    reviewed = serializers.IntegerField()
    accuracy = serializers.FloatField(allow_null=True)
    best = BestSerializer(many=True)


class RunSummarySerializer(S):  # type: ignore[type-arg]
    """One line of a player's runs."""

    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=Run.Kind.choices)
    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    difficulty = serializers.ChoiceField(choices=["easy", "normal", "hard"])
    status = serializers.ChoiceField(choices=Run.Status.choices)
    score = serializers.IntegerField()
    moves = serializers.IntegerField()
    faced = serializers.IntegerField()
    seal = serializers.CharField()
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField()
    elapsed_ms = serializers.IntegerField()


class DifficultySerializer(S):  # type: ignore[type-arg]
    """Health at the start and its cap."""

    key = serializers.CharField()
    health = serializers.IntegerField()
    cap = serializers.IntegerField()
    is_default = serializers.BooleanField()


class RulesetWordsSerializer(S):  # type: ignore[type-arg]
    """A ruleset's choices as sentences."""

    weapon_limit = serializers.CharField()
    avoid = serializers.CharField()
    death_score = serializers.CharField()
    clear_score = serializers.CharField()


class RulesetSerializer(S):  # type: ignore[type-arg]
    """One published ruleset."""

    key = serializers.ChoiceField(choices=list(RULESETS))
    name = serializers.CharField()
    is_default = serializers.BooleanField()
    source = serializers.CharField()  # type: ignore[assignment]
    summary = serializers.CharField()
    weapon_limit = serializers.CharField()
    avoid = serializers.CharField()
    death_score = serializers.CharField()
    clear_score = serializers.CharField()
    difficulties = DifficultySerializer(many=True)
    words = RulesetWordsSerializer()


class RulesetsSerializer(S):  # type: ignore[type-arg]
    """Every published ruleset."""

    results = RulesetSerializer(many=True)


class WeaponSerializer(S):  # type: ignore[type-arg]
    """The weapon held; `limit` is null while it is fresh."""

    card = serializers.RegexField(CARD)
    kill_stack = _codes()
    limit = serializers.IntegerField(allow_null=True)
    limit_inclusive = serializers.BooleanField()


class TableSerializer(S):  # type: ignore[type-arg]
    """A position as a player sees it."""

    index = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Run.Status.choices)
    health = serializers.IntegerField()
    cap = serializers.IntegerField()
    room = _codes()
    faced_in_room = serializers.IntegerField()
    faced = serializers.IntegerField()
    room_number = serializers.IntegerField()
    weapon = WeaponSerializer(allow_null=True)
    potion_used = serializers.BooleanField()
    avoided_last = serializers.BooleanField()
    dungeon_left = serializers.IntegerField()
    bottom = _codes()


class LegalMoveSerializer(S):  # type: ignore[type-arg]
    """A legal move and what it would cost or heal."""

    move = serializers.CharField()
    card = serializers.RegexField(CARD, allow_null=True)
    action = serializers.ChoiceField(choices=["fight", "equip", "drink", "avoid"])
    armed = serializers.BooleanField(allow_null=True)
    damage = serializers.IntegerField()
    heal = serializers.IntegerField()
    wasted = serializers.BooleanField()
    health_after = serializers.IntegerField()
    lethal = serializers.BooleanField()
    drops = _codes()


class BlockedMoveSerializer(S):  # type: ignore[type-arg]
    """An armed fight or avoiding that is refused here, and why."""

    move = serializers.CharField()
    code = serializers.CharField()
    detail = serializers.CharField()


class PartSerializer(S):  # type: ignore[type-arg]
    """A line of a score's breakdown."""

    part = serializers.ChoiceField(
        choices=["health", "last_potion", "monsters_in_room", "monsters_in_dungeon"]
    )
    value = serializers.IntegerField()


class RunSerializer(TableSerializer):
    """A run as its player may see it."""

    id = serializers.CharField()
    kind = serializers.ChoiceField(choices=Run.Kind.choices)
    player = serializers.CharField()
    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    difficulty = serializers.ChoiceField(choices=["easy", "normal", "hard"])
    legal = LegalMoveSerializer(many=True)
    blocked = BlockedMoveSerializer(many=True)
    score = serializers.IntegerField(allow_null=True)
    potential_score = serializers.IntegerField()
    breakdown = PartSerializer(many=True, allow_null=True)
    seal = serializers.CharField()
    seed = serializers.CharField(allow_null=True)
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    elapsed_ms = serializers.IntegerField()
    race = serializers.CharField(allow_null=True)
    daily = serializers.CharField(allow_null=True)


class EffectSerializer(S):  # type: ignore[type-arg]
    """What a move did; `kind` says which of the other fields there are."""

    kind = serializers.ChoiceField(
        choices=[
            "fought",
            "equipped",
            "healed",
            "wasted",
            "avoided",
            "dealt",
            "died",
            "cleared",
        ]
    )
    card = serializers.RegexField(CARD, required=False)
    cards = serializers.ListField(child=serializers.RegexField(CARD), required=False)
    discarded = serializers.ListField(
        child=serializers.RegexField(CARD), required=False
    )
    armed = serializers.BooleanField(required=False)
    damage = serializers.IntegerField(required=False)
    amount = serializers.IntegerField(required=False)
    health = serializers.IntegerField(required=False)


class MoveAnswerSerializer(S):  # type: ignore[type-arg]
    """A committed move."""

    run = RunSerializer()
    effects = EffectSerializer(many=True)
    replayed = serializers.BooleanField()


class RaceMoveAnswerSerializer(MoveAnswerSerializer):
    """A committed move of a race; `seq` is the number of its event."""

    seq = serializers.IntegerField()


class ReplayMoveSerializer(S):  # type: ignore[type-arg]
    """One move of a replay."""

    index = serializers.IntegerField()
    move = serializers.ChoiceField(choices=list(MOVES))
    at_ms = serializers.IntegerField()
    effects = EffectSerializer(many=True)
    after = TableSerializer()


class ReplaySerializer(S):  # type: ignore[type-arg]
    """A whole run, revealed."""

    run = serializers.CharField()
    player = serializers.CharField()
    kind = serializers.ChoiceField(choices=Run.Kind.choices)
    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    difficulty = serializers.ChoiceField(choices=["easy", "normal", "hard"])
    seed = serializers.CharField()
    seal = serializers.CharField()
    deck = serializers.ListField(
        child=serializers.ChoiceField(choices=list(CARDS)), min_length=44, max_length=44
    )
    status = serializers.ChoiceField(choices=Run.Status.choices)
    score = serializers.IntegerField()
    breakdown = PartSerializer(many=True)
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField()
    elapsed_ms = serializers.IntegerField()
    start = TableSerializer()
    moves = ReplayMoveSerializer(many=True)


class TimeSerializer(S):  # type: ignore[type-arg]
    """The server's clock."""

    server_time = serializers.DateTimeField()
