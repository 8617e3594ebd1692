"""Throttles: how often something may be done in a while, counted atomically.

A counter for each (limit, subject) in fixed windows. It is Valkey's where REDIS_URL is
set: one script, so concurrent requests cannot slip between reading and writing.
Otherwise, and whenever Valkey does not answer within a moment, it is a row of the
database, counted in one statement. So a throttle never opens because a server is down
(nor closes): the two counters are apart, which at worst doubles a limit for one window.

`Bucket` is another kind, for moves: in this process only, and next to free.
"""

import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

import redis
import structlog
from django.conf import settings
from django.db import connection

from game.services.core.errors import Kind, ServiceRefusal

log = structlog.get_logger(__name__)

# Seconds for Valkey to answer, and for which it is left alone after it did not.
_PATIENCE = 0.25
_PAUSE = 5.0
_COUNT = """
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]); left = tonumber(ARGV[1]) end
return {n, left}
"""
_UPSERT = """
insert into game_throttle ("key", "count", resets_at) values (%s, 1, %s)
on conflict ("key") do update set
    "count" = case when game_throttle.resets_at <= %s then 1
        else game_throttle."count" + 1 end,
    resets_at = case when game_throttle.resets_at <= %s then excluded.resets_at
        else game_throttle.resets_at end
returning "count", resets_at
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` times in `window_s` seconds, for each subject."""

    name: str
    most: int
    window_s: int

    def __str__(self) -> str:
        return f"{self.name}: {self.most} in {self.window_s} s"


def throttle(limit: Limit, subject: str, *, at: datetime) -> None:
    """Count one more for the subject (an account's id, an address, a hash).

    Raises throttled ({limit, retry_after_s}) once the window's number is used up.
    """
    if settings.THROTTLE_SCALE <= 0:
        return
    key = f"throttle:{limit.name}:{subject}"[:160]
    count, left_ms = _count(key, limit.window_s * 1000, at)
    if count > limit.most * settings.THROTTLE_SCALE:
        raise throttled(str(limit), left_ms)


def throttled(limit: str, left_ms: float) -> ServiceRefusal:
    """The refusal of one time too many."""
    wait = max(1, int(left_ms / 1000) + 1)
    return ServiceRefusal(
        Kind.THROTTLED,
        "throttled",
        f"Too many requests; try again in {wait} s.",
        {"limit": limit, "retry_after_s": wait},
    )


def subject_of(text: str) -> str:
    """A subject that says nothing of what it was made of, such as an e-mail."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _count(key: str, window_ms: int, at: datetime) -> tuple[int, float]:
    """How often by now, and how long the window lasts still, in milliseconds."""
    if settings.REDIS_URL and _valkey.is_worth_asking():
        try:
            return _valkey.count(key, window_ms)
        except redis.RedisError as error:
            _valkey.leave_alone()
            log.warning("throttle_without_valkey", error=str(error))
    return _count_in_database(key, window_ms, at)


def _count_in_database(key: str, window_ms: int, at: datetime) -> tuple[int, float]:
    adapt = connection.ops.adapt_datetimefield_value
    resets = adapt(at + timedelta(milliseconds=window_ms))
    now = adapt(at)
    with connection.cursor() as cursor:
        cursor.execute(_UPSERT, (key, resets, now, now))
        count, resets_at = cursor.fetchone()
    if isinstance(resets_at, str):
        resets_at = datetime.fromisoformat(resets_at)
    if resets_at.tzinfo is None:
        resets_at = resets_at.replace(tzinfo=at.tzinfo)
    return count, (resets_at - at) / timedelta(milliseconds=1)


class _Valkey:
    """The counter's own connection, with a short patience."""

    def __init__(self) -> None:
        self._asleep_until = 0.0

    def is_worth_asking(self) -> bool:
        """Not while it has just failed to answer."""
        return time.monotonic() >= self._asleep_until

    def leave_alone(self) -> None:
        """Count in the database for a while."""
        self._asleep_until = time.monotonic() + _PAUSE

    def count(self, key: str, window_ms: int) -> tuple[int, float]:
        """One more; raises RedisError."""
        count, left = _client(settings.REDIS_URL).eval(_COUNT, 1, key, window_ms)
        return int(count), float(left)


@lru_cache(maxsize=4)
def _client(url: str) -> Any:
    return redis.Redis.from_url(
        url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
    )


_valkey = _Valkey()


class Bucket:
    """A token bucket for each subject, in this process: `rate` a second, `burst` at
    once. A process that is one of several lets through as much as each of them.
    """

    def __init__(self, name: str, most_subjects: int = 20_000) -> None:
        self._name = name
        self._most = most_subjects
        self._lock = threading.Lock()
        self._filled: dict[str, tuple[float, float]] = {}

    def take(self, subject: str, *, rate: float, burst: float) -> None:
        """Take one. Raises throttled. A rate of 0 or less lets everything through."""
        if rate <= 0:
            return
        now = time.monotonic()
        with self._lock:
            left, since = self._filled.get(subject, (burst, now))
            left = min(burst, left + (now - since) * rate)
            if left < 1:
                raise throttled(f"{self._name}: {rate:g} a second", (1 - left) / rate)
            if len(self._filled) >= self._most:
                self._forget_full(now, rate, burst)
            self._filled[subject] = (left - 1, now)

    def _forget_full(self, now: float, rate: float, burst: float) -> None:
        """Whoever has not been here for a while has a full bucket: drop it."""
        self._filled = {
            subject: (left, since)
            for subject, (left, since) in self._filled.items()
            if left + (now - since) * rate < burst
        }
