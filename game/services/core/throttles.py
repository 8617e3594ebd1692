"""Throttles: how often something may be done in some time, counted atomically.

`throttle` has a counter for each limit and subject in fixed windows. With REDIS_URL set
it is in Valkey, counted by one script, so that concurrent requests cannot pass between
reading and writing. Otherwise, and while Valkey is unavailable, it is a row of the
database, counted by one statement. So an outage of Valkey neither lifts a limit nor
refuses everything: the two counters are separate, which at worst doubles a limit for
one window.

`TokenBucket` is for moves and socket messages: in memory of one process, and cheap.
"""

import threading
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.db import connection

from game.services.core import valkey
from game.services.core.errors import Kind, ServiceRefusal

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
    """Count one use by the subject (an account's id, an address, a hash).

    Raises throttled ({limit, retry_after_s}) above the limit. THROTTLE_SCALE multiplies
    all limits; 0 switches them off.
    """
    if settings.THROTTLE_SCALE <= 0:
        return
    key = f"throttle:{limit.name}:{subject}"[:160]
    count, left_ms = _count(key, limit.window_s * 1000, at)
    if count > limit.most * settings.THROTTLE_SCALE:
        raise throttle_refusal(str(limit), left_ms / 1000)


def throttle_refusal(limit: str, wait_s: float) -> ServiceRefusal:
    """The refusal of a use above a limit; `wait_s` is rounded up to whole seconds."""
    wait = max(1, int(wait_s) + 1)
    return ServiceRefusal(
        Kind.THROTTLED,
        "throttled",
        f"Too many requests; try again in {wait} s.",
        {"limit": limit, "retry_after_s": wait},
    )


def subject_of(text: str) -> str:
    """A subject that does not reveal the text it is made of, such as an e-mail."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _count(key: str, window_ms: int, at: datetime) -> tuple[int, float]:
    """Count once: the uses in this window, and the milliseconds until it ends."""
    try:
        count, left_ms = valkey.run_script(_COUNT, [key], [window_ms])
    except valkey.Unavailable:
        return _count_in_database(key, window_ms, at)
    return int(count), float(left_ms)


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


@dataclass(slots=True)
class TokenBucket:
    """At most `burst` tokens, refilled by `rate` tokens a second; full at first."""

    rate: float
    burst: float
    _tokens: float = field(init=False)
    _filled_at: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._tokens = self.burst

    def take(self, now: float) -> float:
        """Take one token: 0.0, or the seconds until there is one (then none is taken).

        `now` is in seconds of a monotonic clock.
        """
        self._fill(now)
        if self._tokens < 1:
            return (1 - self._tokens) / self.rate
        self._tokens -= 1
        return 0.0

    def is_full(self, now: float) -> bool:
        """Whether nothing is missing, so that a new bucket would be the same."""
        self._fill(now)
        return self._tokens >= self.burst

    def _fill(self, now: float) -> None:
        added = (now - self._filled_at) * self.rate
        self._tokens = min(self.burst, self._tokens + added)
        self._filled_at = now


class TokenBuckets:
    """A token bucket for each subject. Each process has its own, so several processes
    let through the limit several times.
    """

    def __init__(self, name: str, max_subjects: int = 20_000) -> None:
        self._name = name
        self._max_subjects = max_subjects
        self._lock = threading.Lock()
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, subject: str, *, rate: float, burst: float) -> None:
        """Take one token. Raises throttled. A rate of 0 or less limits nothing."""
        if rate <= 0:
            return
        now = time.monotonic()
        with self._lock:
            bucket = self._buckets.get(subject)
            if bucket is None:
                if len(self._buckets) >= self._max_subjects:
                    self._drop_full(now)
                bucket = self._buckets[subject] = TokenBucket(rate, burst)
            bucket.rate, bucket.burst = rate, burst
            wait_s = bucket.take(now)
        if wait_s:
            raise throttle_refusal(f"{self._name}: {rate:g} a second", wait_s)

    def _drop_full(self, now: float) -> None:
        """Forget the subjects that have taken nothing for a while."""
        self._buckets = {
            subject: bucket
            for subject, bucket in self._buckets.items()
            if not bucket.is_full(now)
        }
