"""How many sockets an account or an address has open, in all web processes together.

Each open socket is a lease in Valkey, renewed while it is open, so a process that dies
blocks nobody for long. Without Valkey, or while it does not answer, `limits.Crowd`
alone counts, in each process for itself: a limit never closes the site.
"""

import itertools
import secrets
from typing import Any, Protocol

import structlog

log = structlog.get_logger(__name__)

LEASE_S = 12
RENEW_EVERY_S = 4
# After a failure it is not asked again for so many seconds.
PAUSE_S = 2.0
_PREFIX = "scoundrel:sockets"

_ENTER = """
local now = tonumber(redis.call('TIME')[1])
for i, key in ipairs(KEYS) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    if redis.call('ZCARD', key) >= tonumber(ARGV[2 + i]) then return i end
end
for _, key in ipairs(KEYS) do
    redis.call('ZADD', key, now + tonumber(ARGV[2]), ARGV[1])
    redis.call('EXPIRE', key, tonumber(ARGV[2]))
end
return 0
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
for _, key in ipairs(KEYS) do redis.call('ZREM', key, ARGV[1]) end
return 0
"""
# Leases in one script, so that none holds Valkey up.
_AT_ONCE = 500


class Asked(Protocol):
    """What runs the scripts; `api.ws.valkey` is the real one."""

    async def script(self, text: str, keys: list[str], values: list[Any]) -> Any:
        """The answer of a script."""


class Crowds:
    """The leases of this process's sockets. `asked` None: there is no Valkey."""

    def __init__(self, asked: Asked | None, now: Any) -> None:
        self._asked, self._now = asked, now
        self._origin, self._numbers = secrets.token_hex(6), itertools.count()
        self._leases: dict[str, list[str]] = {}
        self._asleep_until = 0.0

    async def enter(self, most: dict[str, int]) -> tuple[str | None, str | None]:
        """Take a lease for each subject ("account:..."), with the most it may have.

        Returns the subject that has too many already, or else the lease's name.
        """
        lease = f"{self._origin}:{next(self._numbers)}"
        keys = [f"{_PREFIX}:{subject}" for subject in most]
        self._leases[lease] = keys  # at once: a failure now is made up by renewing
        full = await self._script(_ENTER, keys, [lease, LEASE_S, *most.values()])
        if full:
            del self._leases[lease]
            return list(most)[int(full) - 1], None
        return None, lease

    async def leave(self, lease: str) -> None:
        """Give a lease back."""
        keys = self._leases.pop(lease, None)
        if keys:
            await self._script(_LEAVE, keys, [lease])

    async def renew(self) -> None:
        """Say that all of them are open still."""
        pairs = [(key, name) for name, keys in self._leases.items() for key in keys]
        for start in range(0, len(pairs), _AT_ONCE):
            part = pairs[start : start + _AT_ONCE]
            keys, names = [key for key, _ in part], [name for _, name in part]
            await self._script(_RENEW, keys, [LEASE_S, *names])

    async def _script(self, text: str, keys: list[str], values: list[Any]) -> Any:
        """Its answer; None where Valkey gives none."""
        if self._asked is None or self._now() < self._asleep_until:
            return None
        try:
            return await self._asked.script(text, keys, values)
        except Exception as error:  # noqa: BLE001 - the line's, of any kind
            self._asleep_until = self._now() + PAUSE_S
            log.info("crowds_without_valkey", error=repr(error))
            return None
