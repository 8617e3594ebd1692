"""How many sockets an account or an address has open, in all web processes together.

Each open socket is a lease in Valkey, renewed while it is open, so a process that dies
blocks nobody for long. Without Valkey, or while it does not answer, `limits.Crowd`
alone counts, in each process for itself: a limit never closes the site.
"""

import asyncio
import itertools
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from game.services.core.valkey import Unavailable

LEASE_S = 12
RENEW_EVERY_S = 4
# A crowd that comes at once is counted together: so long after the first of them.
COMPANY_S = 0.02
_PREFIX = "scoundrel:sockets"
# Leases in one script, so that none holds Valkey up.
_AT_ONCE = 500

# KEYS: a lease's subject; ARGV: for how long, then for each its name and the most. The
# answer has 1 where there are too many, and that lease is not taken.
_ENTER = """
local now, full = tonumber(redis.call('TIME')[1]), {}
for i, key in ipairs(KEYS) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    full[i] = 0
    if redis.call('ZCARD', key) >= tonumber(ARGV[2 * i + 1]) then
        full[i] = 1
    else
        redis.call('ZADD', key, now + tonumber(ARGV[1]), ARGV[2 * i])
        redis.call('EXPIRE', key, tonumber(ARGV[1]))
    end
end
return full
"""
_RENEW = """
local till = tonumber(redis.call('TIME')[1]) + tonumber(ARGV[1])
for i, key in ipairs(KEYS) do
    redis.call('ZADD', key, till, ARGV[1 + i])
    redis.call('EXPIRE', key, tonumber(ARGV[1]))
end
return 0
"""
_LEAVE = """
for i, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[i]) end
return 0
"""


class Asked(Protocol):
    """What runs the scripts; `api.ws.connection.valkey` is the real one."""

    async def run_script(self, script: str, keys: list[str], values: list[Any]) -> Any:
        """The answer of a script. Raises Unavailable."""


class Lease(NamedTuple):
    """One socket's, for each subject ("account:..."): the most that it may have.

    `refuse(subject)` is called once, should one have too many already.
    """

    name: str
    most: dict[str, int]
    refuse: Callable[[str], None]


class Crowds:
    """The leases of this process's sockets. `asked` None: there is no Valkey."""

    def __init__(self, asked: Asked | None) -> None:
        self._asked = asked
        self._origin, self._numbers = secrets.token_hex(6), itertools.count()
        self._leases: dict[str, Lease] = {}
        self._coming: list[Lease] = []
        self._going: list[Lease] = []
        self._counting: asyncio.Task[None] | None = None

    def enter(self, most: dict[str, int], refuse: Callable[[str], None]) -> Lease:
        """Let a socket in, and count it soon: it is refused then, if at all."""
        lease = Lease(f"{self._origin}:{next(self._numbers)}", most, refuse)
        self._leases[lease.name] = lease
        self._coming.append(lease)
        self._count_soon()
        return lease

    def leave(self, lease: Lease) -> None:
        """Give a lease back."""
        if self._leases.pop(lease.name, None) is not None:
            self._going.append(lease)
            self._count_soon()

    def _count_soon(self) -> None:
        if self._asked is None:
            self._coming, self._going = [], []
        elif self._counting is None or self._counting.done():
            self._counting = asyncio.ensure_future(self._count())

    async def _count(self) -> None:
        while self._coming or self._going:
            await asyncio.sleep(COMPANY_S)
            going, self._going = self._going, []
            await self._run(_LEAVE, going, lambda lease, _: [lease.name], [])
            coming, self._coming = self._coming, []
            found = await self._run(
                _ENTER,
                coming,
                lambda lease, subject: [lease.name, lease.most[subject]],
                [LEASE_S],
            )
            for lease, subject in (one for one, is_full in found if is_full):
                if self._leases.pop(lease.name, None) is not None:
                    self._going.append(lease)
                    lease.refuse(subject)

    async def renew(self) -> None:
        """Say that all of them are open still."""
        leases = list(self._leases.values())
        await self._run(_RENEW, leases, lambda lease, _: [lease.name], [LEASE_S])

    async def _run(
        self,
        script: str,
        leases: list[Lease],
        words: Callable[[Lease, str], list[Any]],
        first: list[Any],
    ) -> list[tuple[tuple[Lease, str], int]]:
        """Run a script on all their subjects; what it says of each, if it says that."""
        pairs = [(lease, subject) for lease in leases for subject in lease.most]
        found: list[tuple[tuple[Lease, str], int]] = []
        for start in range(0, len(pairs), _AT_ONCE):
            part = pairs[start : start + _AT_ONCE]
            keys = [f"{_PREFIX}:{subject}" for _, subject in part]
            values = [word for one in part for word in words(*one)]
            answer = await self._ask(script, keys, [*first, *values])
            if isinstance(answer, list):
                found += zip(part, answer, strict=True)
        return found

    async def _ask(self, script: str, keys: list[str], values: list[Any]) -> Any:
        """The script's answer; None without Valkey."""
        if self._asked is None:
            return None
        try:
            return await self._asked.run_script(script, keys, values)
        except Unavailable:
            return None
