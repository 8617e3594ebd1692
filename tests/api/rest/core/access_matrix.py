"""Who may use which route: one row a route. `test_access_matrix` checks it.

A row has the scope a token needs (None: no token may), and the status of the answer to
the owner, a stranger and a guest with that scope, and to a request without an account.
`PAST` is any answer of the view itself, which the tests of its subject check.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.fixtures.accounts import PASSWORD

Statuses = int | frozenset[int]
PAST: Statuses = frozenset({200, 201, 204, 400, 404, 409, 422})


@dataclass(frozen=True)
class Rule:
    """The status of the answer to each kind of caller."""

    scope: str | None
    owner: Statuses
    stranger: Statuses
    guest: Statuses
    nobody: Statuses = 401
    body: dict[str, Any] = field(default_factory=dict)


def everybody(status: Statuses = 200) -> Rule:
    """A route that anybody may read."""
    return Rule("read", status, status, status, nobody=status)


def signed_in(scope: str | None, status: Statuses = 200, **body: Any) -> Rule:
    """A route that every signed-in account uses for itself."""
    return Rule(scope, status, status, status, body=body)


def owners(scope: str | None, status: int = 200, **body: Any) -> Rule:
    """A route that only the owner finds."""
    return Rule(scope, status, 404, 404, body=body)


MOVE: dict[str, Any] = {"index": 0, "move": "2D"}
PROOF: dict[str, Any] = {"password": PASSWORD}

RULES: dict[str, Rule] = {
    "POST session/guest/": Rule(None, 200, 200, 200, nobody=201),
    "GET account/": signed_in("read"),
    "PATCH account/": signed_in(None, preferences={"theme": "dark"}),
    "DELETE account/": signed_in(None, 204, **PROOF),
    "POST account/export/": signed_in(None, **PROOF),
    "GET account/blocks/": signed_in(None),
    # One cannot block oneself, and the player of the matrix is the owner.
    "PUT account/blocks/{name}/": Rule(None, 409, 200, 200),
    "DELETE account/blocks/{name}/": signed_in(None, 204),
    "GET tokens/": signed_in(None),
    "POST tokens/": Rule(None, 201, 201, 403, body={"name": "x", "scopes": ["read"]}),
    "DELETE tokens/{token_id}/": owners(None, 204),
    "GET players/{name}/": everybody(),
    "GET players/{name}/runs/": everybody(),
    "GET players/{name}/races/": everybody(),
    "GET players/{name}/ratings/": everybody(),
    "GET rulesets/": everybody(),
    "GET time/": everybody(),
    "POST lesson/": everybody(),
    "GET rules/": everybody(),
    "POST rules/examples/{example}/": everybody(PAST),
    "GET runs/": signed_in("read"),
    "POST runs/": signed_in("play", 201),
    "GET runs/{run_id}/": owners("read"),
    "POST runs/{run_id}/moves/": owners("play", **MOVE),
    "POST runs/{run_id}/abandon/": owners("play"),
    "POST runs/{run_id}/undo/": Rule("play", 409, 404, 404, body={"index": 0}),
    "POST runs/{run_id}/hint/": Rule("play", 202, 404, 404, body={"level": 1}),
    "GET runs/{run_id}/coach/": owners("read"),
    "GET runs/{run_id}/replay/": Rule("read", 409, 404, 404, nobody=404),
    **{
        f"{way} runs/{{run_id}}/{what}/": Rule(
            "read", 409, 404, 404, nobody=404, body=body
        )
        for way, what, body in (
            ("GET", "review", {}),
            ("POST", "review", {}),
            ("POST", "what-if", {"index": 0}),
        )
    },
    # The run's seed is open, so its owner may see the best line while playing.
    "POST runs/{run_id}/solve/": Rule(
        "read", 202, 404, 404, nobody=404, body={"index": 0}
    ),
    "GET dailies/": everybody(PAST),
    "GET dailies/{on}/": everybody(PAST),
    "GET dailies/{on}/digest/": everybody(PAST),
    "GET dailies/{on}/leaderboard/": everybody(PAST),
    "GET dailies/{on}/share.png": everybody(PAST),
    "GET dailies/{on}/share/": signed_in("read", PAST),
    "GET dailies/year/": signed_in("read", PAST),
    "POST dailies/{on}/run/": signed_in("play", PAST),
    "POST dailies/{on}/practice/": signed_in("play", PAST),
    "GET reports/": signed_in(None),
    "POST reports/": signed_in(None, PAST, player="Nobody", kind="other", place="name"),
    "GET appeals/": signed_in(None),
    "POST appeals/": signed_in(None, 404, sanction="none", text="x"),
    "GET standing/": signed_in(None),
    "POST standing/seen/": signed_in(None),
    "GET fairness/": everybody(PAST),
    "GET fairness/chain/": everybody(PAST),
    "GET leaderboards/": everybody(PAST),
    "GET leaderboards/{board}/": everybody(PAST),
    "GET matchmaking/": signed_in("race", PAST),
    "PUT matchmaking/": signed_in("race", PAST),
    "DELETE matchmaking/": signed_in("race", PAST),
    "GET races/": everybody(PAST),
    "POST races/": signed_in("race", PAST),
    "GET races/{race_id}/": everybody(PAST),
    "GET races/{race_id}/events/": everybody(PAST),
    "GET races/{race_id}/chat/": everybody(PAST),
    "POST races/{race_id}/chat/": signed_in("chat", PAST),
    "POST races/{race_id}/moves/": signed_in("play", PAST, **MOVE),
    **{
        f"POST races/{{race_id}}/{act}/": signed_in("race", PAST)
        for act in (
            *("join", "leave", "ready", "unready", "start", "forfeit", "unforfeit"),
            "close",
            "rematch",
        )
    },
    "POST races/{race_id}/remove/": signed_in("race", PAST, seat=1),
}
