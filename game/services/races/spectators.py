"""Spectator counts of races, summed over all web processes.

Each web process publishes its counts to Valkey and adds those of the others to its own.
The counts are only displayed: without Valkey a process knows its own, and the counts of
a process that stops publishing expire.
"""

import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from game.services.core import valkey

KEY: Final = "scoundrel:watching"
# Seconds for which published counts are valid, and for which a process caches others'.
COUNT_TTL_S: Final = 20
CACHE_S = 1.0

# A hash of process -> "<valid until, Valkey's time> <counts as JSON>".
_PUBLISH = """
local valid_until = tonumber(redis.call('TIME')[1]) + tonumber(ARGV[3])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %s', valid_until, ARGV[2]))
return 0
"""
_READ_OTHERS = """
local now, found = tonumber(redis.call('TIME')[1]), {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
    local valid_until, counts = string.match(all[i + 1], '^(%d+) (.*)$')
    if tonumber(valid_until) < now then
        redis.call('HDEL', KEYS[1], all[i])
    elseif all[i] ~= ARGV[1] then
        table.insert(found, counts)
    end
end
return found
"""


class SpectatorCounts:
    """This process's counts by race, and the last read counts of the others."""

    def __init__(self) -> None:
        self.own: Mapping[str, int] = {}
        self._process_id = secrets.token_hex(6)
        self._others: Counter[str] = Counter()
        self._read_again_at = 0.0
        self._lock = threading.Lock()

    def publish(self, own: Mapping[str, int]) -> None:
        """Publish this process's counts by race. Call it at least every 10 s."""
        self.own = {race_id: count for race_id, count in own.items() if count}
        self._run(_PUBLISH, self._process_id, json.dumps(self.own), str(COUNT_TTL_S))
        self._read_again_at = min(self._read_again_at, time.monotonic())

    def count(self, race_id: str) -> int:
        """The number of spectators of a race in all processes."""
        return self.own.get(race_id, 0) + self.count_elsewhere(race_id)

    def count_elsewhere(self, race_id: str) -> int:
        """The number of spectators of a race in the other processes."""
        self._refresh()
        return self._others[race_id]

    def version(self) -> frozenset[tuple[str, int]]:
        """A value that changes whenever any count does."""
        self._refresh()
        return frozenset((Counter(self.own) + self._others).items())

    def _refresh(self) -> None:
        with self._lock:
            if time.monotonic() < self._read_again_at:
                return
            self._read_again_at = time.monotonic() + CACHE_S
            others: Counter[str] = Counter()
            for counts in self._run(_READ_OTHERS, self._process_id) or ():
                others.update(json.loads(counts))
            self._others = others

    def _run(self, script: str, *arguments: str) -> Any:
        """The script's result; None without Valkey."""
        try:
            return valkey.run_script(script, [KEY], arguments)
        except valkey.Unavailable:
            return None


spectator_counts: Final = SpectatorCounts()
