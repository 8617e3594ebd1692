"""Counts the open sockets of each account and address, and refuses those above a limit.

A subject is "account:<id>" or "address:<ip>". `LocalCounts` counts the sockets of this
process, at once. `SharedCounts` counts those of all web processes in Valkey, a moment
later. Each socket has a lease there, which is renewed while it is open, so the sockets
of a process that died stop counting soon. Without Valkey only the local count applies.
"""

import asyncio
import itertools
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from api.ws.connection.valkey import Valkey
from game.services.core.valkey import Unavailable

LEASE_S = 12
RENEW_EVERY_S = 4
# Sockets that open within this time after the first are counted by one script.
BATCH_WINDOW_S = 0.02
_PREFIX = "scoundrel:sockets"
# Leases in one script, so that none blocks Valkey for long.
_MAX_LEASES_PER_SCRIPT = 500

# KEYS: the subject of each lease. ARGV: the seconds that a lease lasts, then the name
# and the limit of each lease. Returns 1 for each lease above its limit (not taken).
_ACQUIRE = """
local now, full = tonumber(redis.call('TIME')[1]), {}
for i, key in ipairs(KEYS) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    full[i] = 0
    -- A renewal may have counted this lease already.
    local others = redis.call('ZCARD', key)
    if redis.call('ZSCORE', key, ARGV[2 * i]) then others = others - 1 end
    if others >= tonumber(ARGV[2 * i + 1]) then
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
_RELEASE = """
for i, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[i]) end
return 0
"""


class LocalCounts:
    """The open sockets of this process by subject."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def add(self, subject: str, limit: int) -> bool:
        """Count one more socket; returns False instead if `limit` are open already."""
        if self._open[subject] >= limit:
            return False
        self._open[subject] += 1
        return True

    def remove(self, subject: str) -> None:
        """Count one socket less."""
        self._open[subject] -= 1
        if self._open[subject] <= 0:
            del self._open[subject]


class Lease(NamedTuple):
    """One socket's lease for each of its subjects, with their limits.

    `refuse(subject)` is called once if a subject turns out to be above its limit.
    """

    name: str
    limits: dict[str, int]
    refuse: Callable[[str], None]


class SharedCounts:
    """The leases of this process's sockets. Without Valkey nothing is refused."""

    def __init__(self, valkey: Valkey | None) -> None:
        self._valkey = valkey
        self._origin, self._numbers = secrets.token_hex(6), itertools.count()
        self._leases: dict[str, Lease] = {}
        self._to_acquire: list[Lease] = []
        self._to_release: list[Lease] = []
        self._task: asyncio.Task[None] | None = None

    def acquire(self, limits: dict[str, int], refuse: Callable[[str], None]) -> Lease:
        """Accept a socket now, count it soon; `refuse` is called if it is too many."""
        lease = Lease(f"{self._origin}:{next(self._numbers)}", limits, refuse)
        self._leases[lease.name] = lease
        self._to_acquire.append(lease)
        self._start_task()
        return lease

    def release(self, lease: Lease) -> None:
        """Count a socket no longer."""
        if self._leases.pop(lease.name, None) is not None:
            self._to_release.append(lease)
            self._start_task()

    def _start_task(self) -> None:
        if self._valkey is None:
            self._to_acquire, self._to_release = [], []
        elif self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._update())

    async def _update(self) -> None:
        while self._to_acquire or self._to_release:
            await asyncio.sleep(BATCH_WINDOW_S)
            releasing, self._to_release = self._to_release, []
            await self._run(_RELEASE, releasing, lambda lease, _: [lease.name], [])
            acquiring, self._to_acquire = self._to_acquire, []
            answers = await self._run(
                _ACQUIRE,
                acquiring,
                lambda lease, subject: [lease.name, lease.limits[subject]],
                [LEASE_S],
            )
            for lease, subject, is_full in answers:
                if is_full and self._leases.pop(lease.name, None) is not None:
                    self._to_release.append(lease)
                    lease.refuse(subject)

    async def renew(self) -> None:
        """Renew the leases of all open sockets."""
        leases = list(self._leases.values())
        await self._run(_RENEW, leases, lambda lease, _: [lease.name], [LEASE_S])

    async def _run(
        self,
        script: str,
        leases: list[Lease],
        arguments: Callable[[Lease, str], list[Any]],
        first_arguments: list[Any],
    ) -> list[tuple[Lease, str, int]]:
        """Run a script over each subject of the leases: (lease, subject, answer).

        The list lacks what Valkey did not answer, and is empty for scripts that return
        no list.
        """
        pairs = [(lease, subject) for lease in leases for subject in lease.limits]
        answers: list[tuple[Lease, str, int]] = []
        for start in range(0, len(pairs), _MAX_LEASES_PER_SCRIPT):
            batch = pairs[start : start + _MAX_LEASES_PER_SCRIPT]
            keys = [f"{_PREFIX}:{subject}" for _, subject in batch]
            values = [value for pair in batch for value in arguments(*pair)]
            result = await self._run_script(script, keys, [*first_arguments, *values])
            if isinstance(result, list):
                answers += [
                    (lease, subject, answer)
                    for (lease, subject), answer in zip(batch, result, strict=True)
                ]
        return answers

    async def _run_script(self, script: str, keys: list[str], values: list[Any]) -> Any:
        """The script's answer; None without Valkey."""
        if self._valkey is None:
            return None
        try:
            return await self._valkey.run_script(script, keys, values)
        except Unavailable:
            return None
