"""The shapes of races' answers, for OpenAPI alone: selectors build them."""

from rest_framework import serializers

from api.rest.core.schemas import RunSerializer
from game.contest.phrases import PHRASES
from game.contest.race import EntrantState, RacePhase
from game.models import ChatMessage, Entrant, Race, RatingPool
from game.rules import RULESETS

S = serializers.Serializer
DIFFICULTIES = ["easy", "normal", "hard"]


class EntrantSerializer(S):  # type: ignore[type-arg]
    """One who races. Another's `score` and `run` are null until the race has closed."""

    player = serializers.CharField()
    seat = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Entrant.Kind.choices)
    state = serializers.ChoiceField(choices=[str(state) for state in EntrantState])
    depth = serializers.IntegerField()
    present = serializers.BooleanField()
    forfeits_at = serializers.DateTimeField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    score = serializers.IntegerField(allow_null=True)
    elapsed_ms = serializers.IntegerField(allow_null=True)
    run = serializers.CharField(allow_null=True)
    rating_before = serializers.IntegerField(allow_null=True)
    rating_change = serializers.IntegerField(allow_null=True)


class SeatSerializer(S):  # type: ignore[type-arg]
    """Your own seat; nulls for a spectator."""

    seat = serializers.IntegerField(allow_null=True)
    player = serializers.CharField(allow_null=True)


class RaceSerializer(S):  # type: ignore[type-arg]
    """A race as its reader may see it at event number `seq`; `run` is his own."""

    id = serializers.CharField()
    phase = serializers.ChoiceField(choices=[str(phase) for phase in RacePhase])
    held = serializers.BooleanField()
    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    difficulty = serializers.ChoiceField(choices=DIFFICULTIES)
    format = serializers.ChoiceField(choices=Race.Format.choices)
    seats = serializers.IntegerField()
    rated = serializers.BooleanField()
    visibility = serializers.ChoiceField(choices=Race.Visibility.choices)
    time_limit_ms = serializers.IntegerField()
    start_mode = serializers.CharField()
    seal = serializers.CharField(allow_null=True)
    seed = serializers.CharField(allow_null=True)
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    starts_at = serializers.DateTimeField(allow_null=True)
    deadline_at = serializers.DateTimeField(allow_null=True)
    seq = serializers.IntegerField()
    rev = serializers.IntegerField()
    host = serializers.CharField()
    entrants = EntrantSerializer(many=True)
    run = RunSerializer(allow_null=True)
    you = SeatSerializer()
    spectators = serializers.IntegerField()
    rematch = serializers.CharField(allow_null=True)


class LobbyEntrantSerializer(S):  # type: ignore[type-arg]
    """Who has sat down in a race of the lobby."""

    player = serializers.CharField()
    kind = serializers.ChoiceField(choices=Entrant.Kind.choices)
    state = serializers.ChoiceField(choices=[str(state) for state in EntrantState])
    depth = serializers.IntegerField()


class LobbyRaceSerializer(S):  # type: ignore[type-arg]
    """A race of the lobby's list."""

    id = serializers.CharField()
    phase = serializers.ChoiceField(choices=[str(phase) for phase in RacePhase])
    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    difficulty = serializers.ChoiceField(choices=DIFFICULTIES)
    format = serializers.ChoiceField(choices=Race.Format.choices)
    seats = serializers.IntegerField()
    rated = serializers.BooleanField()
    time_limit_ms = serializers.IntegerField()
    host = serializers.CharField()
    entrants = LobbyEntrantSerializer(many=True)
    spectators = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    starts_at = serializers.DateTimeField(allow_null=True)
    deadline_at = serializers.DateTimeField(allow_null=True)


class RaceDoneSerializer(S):  # type: ignore[type-arg]
    """An act was done: in which race, and the number it has come to by it."""

    race_id = serializers.CharField()
    seq = serializers.IntegerField()


class RaceEventSerializer(S):  # type: ignore[type-arg]
    """A numbered event; `kind` says which further fields there are (docs/races.md)."""

    seq = serializers.IntegerField()
    kind = serializers.CharField()
    at = serializers.DateTimeField()


class RaceEventsSerializer(S):  # type: ignore[type-arg]
    """Events in order, at most 500; ask again with the last `seq` for more."""

    results = RaceEventSerializer(many=True)


class ChatMessageSerializer(S):  # type: ignore[type-arg]
    """What somebody said."""

    number = serializers.IntegerField()
    player = serializers.CharField()
    room = serializers.ChoiceField(choices=ChatMessage.Room.choices)
    phrase = serializers.ChoiceField(choices=list(PHRASES), allow_null=True)
    text = serializers.CharField()
    at = serializers.DateTimeField()


class ChatSerializer(S):  # type: ignore[type-arg]
    """Messages in order, and the phrases there are."""

    results = ChatMessageSerializer(many=True)
    phrases = serializers.DictField(child=serializers.CharField())


class MatchOfferSerializer(S):  # type: ignore[type-arg]
    """Whom you are offered, and until when."""

    accept_by = serializers.DateTimeField()
    opponent = serializers.CharField()
    rating = serializers.IntegerField()
    rated = serializers.BooleanField()
    opponent_accepted = serializers.BooleanField()


class WaitSerializer(S):  # type: ignore[type-arg]
    """Why you may not race for a rating yet; `grade` of `grades` rises by leaving."""

    code = serializers.CharField()
    until = serializers.DateTimeField()
    retry_after_s = serializers.IntegerField()
    reason = serializers.CharField()
    race = serializers.CharField()
    grade = serializers.IntegerField()
    grades = serializers.IntegerField()


class MatchSerializer(S):  # type: ignore[type-arg]
    """Your search for a quick match."""

    state = serializers.ChoiceField(
        choices=["idle", "waiting", "offered", "accepted", "matched"]
    )
    ruleset = serializers.ChoiceField(choices=list(RULESETS), allow_null=True)
    format = serializers.ChoiceField(choices=Race.Format.choices, allow_null=True)
    since = serializers.DateTimeField(allow_null=True)
    waited_ms = serializers.IntegerField()
    window = serializers.IntegerField(allow_null=True)
    offer = MatchOfferSerializer(allow_null=True)
    house = serializers.BooleanField()
    race = serializers.CharField(allow_null=True)
    wait = WaitSerializer(allow_null=True)


class RatingSerializer(S):  # type: ignore[type-arg]
    """A rating (Glicko-2); provisional while its deviation is above 110."""

    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    pool = serializers.ChoiceField(choices=RatingPool.choices)
    rating = serializers.IntegerField()
    deviation = serializers.IntegerField()
    provisional = serializers.BooleanField()
    races = serializers.IntegerField()
    changed_at = serializers.DateTimeField()


class RatingsSerializer(S):  # type: ignore[type-arg]
    """All of a player's ratings."""

    results = RatingSerializer(many=True)


class RaceLineSerializer(S):  # type: ignore[type-arg]
    """A race that is over, as a line of a player's list."""

    id = serializers.CharField()
    ruleset = serializers.ChoiceField(choices=list(RULESETS))
    difficulty = serializers.ChoiceField(choices=DIFFICULTIES)
    format = serializers.ChoiceField(choices=Race.Format.choices)
    rated = serializers.BooleanField()
    settled_at = serializers.DateTimeField()
    players = serializers.ListField(child=serializers.CharField())
    place = serializers.IntegerField(allow_null=True)
    score = serializers.IntegerField()
    elapsed_ms = serializers.IntegerField()
    rating_change = serializers.IntegerField(allow_null=True)
    run = serializers.CharField()
