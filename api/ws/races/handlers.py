"""From a client's message to the one service that does it, and to its answer.

Each handler is one call. The scope beside it is what a token must have; people may do
all. Acts answer with a fresh snapshot: its `seq` tells what it includes.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from api.ws.connection import executor
from api.ws.protocol.frames import Frame, wall_clock
from api.ws.protocol.messages import (
    ChatSay,
    Hello,
    MovePlay,
    RaceForfeit,
    RaceJoin,
    RaceLeave,
    RaceReady,
    RaceRematch,
    RaceStart,
    RaceUnforfeit,
    RaceUnready,
    Resync,
)
from api.ws.races.client import Attending
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.limits import CHAT_BY_ACCOUNT, RACE_ACT_BY_ACCOUNT
from game.services.core.throttles import Limit, throttle
from game.services.races.chat import race_say
from game.services.races.commands import (
    race_forfeit,
    race_join,
    race_leave,
    race_ready,
    race_rematch,
    race_start,
    race_unforfeit,
    race_unready,
)
from game.services.runs.moves.play import race_move_play

Handler = Callable[[Attending, Frame], Awaitable[None]]


async def hello(here: Attending, frame: Frame) -> None:
    """Missing events, or the race as it stands."""
    assert isinstance(frame.asked, Hello)
    since = frame.asked.since
    if since is None:
        await here.hub.join(here.watch, here.socket, frame.id)
    else:
        await here.hub.resume(here.watch, here.socket, since, frame.id)


async def resync(here: Attending, frame: Frame) -> None:
    """The race as it stands."""
    await here.hub.join(here.watch, here.socket, frame.id)


async def move_play(here: Attending, frame: Frame) -> None:
    """A move of one's own run; the answer goes out as soon as it is committed."""
    asked = frame.asked
    assert isinstance(asked, MovePlay)
    play = partial(
        race_move_play,
        account_id=here.account_id,
        race_id=here.race_id,
        index=asked.index,
        code=asked.move,
        key=frame.id,
    )
    socket = here.socket
    socket.asking, socket.overlooked = True, False
    try:
        answer = await executor.write(play)
        socket.answered = max(socket.answered, answer.pop("seq"))
        socket.overlooked = False
    finally:
        socket.asking = False
        if socket.overlooked:  # refused, while another tab played
            here.hub.spawn(here.hub.onlooker.show(here.watch, [socket]))
    socket.send("move.accepted", answer, frame.id)


async def race_act(
    here: Attending, frame: Frame, *, service: Callable[..., dict[str, Any]]
) -> None:
    """One of the race's acts."""
    await here.once(frame.id, partial(_act, here, service))
    await here.hub.join(here.watch, here.socket, frame.id)


async def rematch(here: Attending, frame: Frame) -> None:
    """A new race of the same people; asked again, the same one."""
    done = await _act(here, race_rematch)
    here.socket.send("race.rematched", {"race": done["race_id"]}, frame.id)


async def _act(
    here: Attending, service: Callable[..., dict[str, Any]]
) -> dict[str, Any]:
    act = partial(
        service, account_id=here.account_id, race_id=here.race_id, at=wall_clock()
    )
    return await executor.write(
        partial(_counted, RACE_ACT_BY_ACCOUNT, here.account_id, act)
    )


def _counted(
    limit: Limit, account_id: str, act: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Do it, unless the account has done as much as it may. Raises throttled."""
    throttle(limit, account_id, at=wall_clock())
    return act()


async def chat_say(here: Attending, frame: Frame) -> None:
    """Say something; everybody who may hear it gets it, oneself as the answer."""
    asked = frame.asked
    assert isinstance(asked, ChatSay)
    say = partial(
        race_say,
        account_id=here.account_id,
        race_id=here.race_id,
        text=asked.text,
        at=wall_clock(),
    )
    counted = partial(_counted, CHAT_BY_ACCOUNT, here.account_id, say)
    message = await here.once(frame.id, partial(executor.write, counted))
    here.watch.spoken[message["number"]] = here.socket
    here.socket.send("chat.message", message, frame.id)
    await here.hub.chatter.told(here.watch)


RACE: Final[dict[type, tuple[str, Handler]]] = {
    Hello: ("read", hello),
    Resync: ("read", resync),
    MovePlay: ("play", move_play),
    RaceJoin: ("race", partial(race_act, service=race_join)),
    RaceLeave: ("race", partial(race_act, service=race_leave)),
    RaceReady: ("race", partial(race_act, service=race_ready)),
    RaceUnready: ("race", partial(race_act, service=race_unready)),
    RaceStart: ("race", partial(race_act, service=race_start)),
    RaceForfeit: ("race", partial(race_act, service=race_forfeit)),
    RaceUnforfeit: ("race", partial(race_act, service=race_unforfeit)),
    RaceRematch: ("race", rematch),
    ChatSay: ("chat", chat_say),
}
LOBBY: Final = (Hello, Resync)


def scope_missing(scope: str) -> ServiceRefusal:
    """The refusal for a token that may not do this."""
    return ServiceRefusal(
        Kind.FORBIDDEN,
        "token.scope_missing",
        f"This token has no scope {scope}.",
        {"scope": scope},
    )


def not_here() -> ServiceRefusal:
    """The refusal for a message of a race's socket on the lobby's."""
    return ServiceRefusal(
        Kind.CONFLICT,
        "frame.wrong_socket",
        "That message belongs to the socket of a race.",
    )
