"""Handles the messages of a socket on a race: one service call each, and the answer.

The scope beside each handler is what a token needs; a session may do everything. The
`race.` messages are answered by a fresh snapshot, whose `seq` includes their effect.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar

from api.ws.connection import database
from api.ws.connection.sockets import Socket
from api.ws.protocol.frames import Frame, wall_clock
from api.ws.protocol.messages import (
    ChatSay,
    Hello,
    MovePlay,
    RaceClose,
    RaceForfeit,
    RaceJoin,
    RaceLeave,
    RaceReady,
    RaceRematch,
    RaceRemove,
    RaceStart,
    RaceUnforfeit,
    RaceUnready,
    Resync,
)
from api.ws.races.hub import Hub
from api.ws.races.watched_race import WatchedRace
from game.rules import Refusal
from game.selectors.races.schemas import RaceDone
from game.selectors.runs.schemas import MoveAnswer
from game.services.accounts.browsers import browser_record
from game.services.core.rate_limits import CHAT_BY_ACCOUNT, RACE_ACT_BY_ACCOUNT
from game.services.core.throttles import Limit, throttle
from game.services.races.chat import chat_send
from game.services.races.commands import (
    race_forfeit,
    race_join,
    race_leave,
    race_ready,
    race_remove,
    race_start,
    race_unforfeit,
    race_unready,
)
from game.services.races.create import race_rematch
from game.services.races.early_close import race_close_early
from game.services.runs.moves.play import race_move_play
from game.services.runs.moves.report import MoveReport

# Answers kept for each socket, so that a message sent twice is done once.
KEPT_ANSWERS = 32


class RaceClient:
    """A socket on a race, with the answers to its last messages."""

    def __init__(self, hub: Hub, race: WatchedRace, socket: Socket) -> None:
        self.hub, self.race, self.socket = hub, race, socket
        self.race_id = race.race_id
        self.account_id = socket.identity.account_id
        # By frame id: what the service returned, or its refusal.
        self._answers: OrderedDict[str, object] = OrderedDict()

    async def run_once(
        self, frame_id: str | None, act: Callable[[], Awaitable[object]]
    ) -> Any:
        """Run `act`; if the frame id was seen before, return its first result instead.

        Raises:
            Refusal: by `act`, now or the first time.
        """
        if frame_id is None:
            return await act()
        if frame_id not in self._answers:
            try:
                answer = await act()
            except Refusal as refusal:
                answer = refusal
            self._answers[frame_id] = answer
            if len(self._answers) > KEPT_ANSWERS:
                self._answers.popitem(last=False)
        answer = self._answers[frame_id]
        if isinstance(answer, Refusal):
            raise answer
        return answer


Handler = Callable[[RaceClient, Frame], Awaitable[None]]
Answer = TypeVar("Answer")


async def hello(client: RaceClient, frame: Frame) -> None:
    """Send the missing events, or a snapshot."""
    assert isinstance(frame.message, Hello)
    since = frame.message.since
    if since is None:
        await client.hub.join(client.race, client.socket, frame.id)
    else:
        await client.hub.resume(client.race, client.socket, since, frame.id)


async def resync(client: RaceClient, frame: Frame) -> None:
    """Send a snapshot."""
    await client.hub.join(client.race, client.socket, frame.id)


async def move_play(client: RaceClient, frame: Frame) -> None:
    """Play a move; the answer is sent as soon as it is committed."""
    message = frame.message
    assert isinstance(message, MovePlay)
    play = partial(
        race_move_play,
        account_id=client.account_id,
        race_id=client.race_id,
        index=message.index,
        code=message.move,
        key=frame.id,
        by_program=client.socket.identity.is_program,
    )
    socket = client.socket
    socket.is_moving, socket.missed_own_run = True, False
    report = MoveReport(
        "ws", race=client.race_id, account=client.account_id, index=message.index
    )
    try:
        with report:
            answer = await database.write(play)
            report.answer = answer
        socket.answered_seq = max(socket.answered_seq, answer["seq"])
        socket.missed_own_run = False
    finally:
        socket.is_moving = False
        if socket.missed_own_run:  # refused, because another tab has moved
            client.hub.spawn(client.hub.own_run_push.send(client.race, [socket]))
    accepted: MoveAnswer = {
        "run": answer["run"],
        "effects": answer["effects"],
        "replayed": answer["replayed"],
    }
    socket.send("move.accepted", accepted, frame.id)


async def race_act(
    client: RaceClient, frame: Frame, *, service: Callable[..., RaceDone]
) -> None:
    """Run one of the race's services, such as `race_join`; send a snapshot."""
    await client.run_once(frame.id, partial(_run_service, client, service))
    await client.hub.join(client.race, client.socket, frame.id)


async def remove(client: RaceClient, frame: Frame) -> None:
    """Remove an entrant as the host; send a snapshot."""
    assert isinstance(frame.message, RaceRemove)
    await race_act(client, frame, service=partial(race_remove, seat=frame.message.seat))


async def rematch(client: RaceClient, frame: Frame) -> None:
    """Make a rematch, or name the one that was made before."""
    result = await _run_service(client, race_rematch)
    client.socket.send("race.rematched", {"race": result["race_id"]}, frame.id)


async def _run_service(
    client: RaceClient, service: Callable[..., RaceDone]
) -> RaceDone:
    def act() -> RaceDone:
        now = wall_clock()
        # Before the service looks for accounts that are linked.
        browser_record(client.account_id, at=now, **client.socket.browser._asdict())
        return service(account_id=client.account_id, race_id=client.race_id, at=now)

    return await database.write(
        partial(_throttled, RACE_ACT_BY_ACCOUNT, client.account_id, act)
    )


def _throttled(limit: Limit, account_id: str, act: Callable[[], Answer]) -> Answer:
    """Run `act` within the account's limit. Raises throttled."""
    throttle(limit, account_id, at=wall_clock())
    return act()


async def chat_say(client: RaceClient, frame: Frame) -> None:
    """Send a chat message to all who may read it, to the author as the answer."""
    message = frame.message
    assert isinstance(message, ChatSay)
    say = partial(
        chat_send,
        account_id=client.account_id,
        race_id=client.race_id,
        text=message.text,
        at=wall_clock(),
    )
    act = partial(_throttled, CHAT_BY_ACCOUNT, client.account_id, say)
    stored = await client.run_once(frame.id, partial(database.write, act))
    client.race.answered_messages[stored["number"]] = client.socket
    client.socket.send("chat.message", stored, frame.id)
    await client.hub.chat_push.send_new(client.race)


# Each message's scope and handler.
HANDLERS: Final[dict[type, tuple[str, Handler]]] = {
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
    RaceRemove: ("race", remove),
    RaceClose: ("race", partial(race_act, service=race_close_early)),
    RaceRematch: ("race", rematch),
    ChatSay: ("chat", chat_say),
}
