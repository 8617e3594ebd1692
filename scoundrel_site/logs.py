"""Structured logs: lines for people in development, JSON for machines in production.

Owns the shape of a log line. Nothing secret is ever bound to one: no seed, token,
password or cookie.
"""

import logging
import logging.config
from typing import Any

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import Processor

# Each says in several lines what one line of ours says already.
WORDY = ("daphne", "django.server", "django.channels.server", "asyncio")


class OneLine(logging.Filter):
    """A request that Django finds suspicious (another host's name, too many fields) is
    refused, and no fault of ours: a line at WARNING, without a trace.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Make the record one line; it is always kept."""
        if record.name.startswith("django.security."):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = record.exc_text = None
        return True


def configure(wanted: dict[str, Any]) -> None:
    """Set up structlog and the standard library's logging alike.

    `wanted` is settings.LOGGING: {"json": bool, "level": name of a level}.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(_standard(shared, wanted))


def _standard(shared: list[Processor], wanted: dict[str, Any]) -> dict[str, Any]:
    level = str(wanted["level"])
    quiet = {"level": "WARNING" if level in {"DEBUG", "INFO"} else level}
    # A refusal is an answer like any other: one line of it, at INFO, is enough.
    # So is a periodic task that waited longer than its turn: the next does its work.
    told = ("django.request", "django_structlog.celery.receivers")
    refusals = {name: {"level": "ERROR"} for name in told}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"one_line": {"()": OneLine}},
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *_endings(as_json=bool(wanted["json"])),
                ],
            }
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["one_line"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": dict.fromkeys(WORDY, quiet) | refusals,
    }


def _endings(*, as_json: bool) -> list[Processor]:
    if as_json:
        return [
            structlog.processors.ExceptionRenderer(
                ExceptionDictTransformer(show_locals=False)
            ),
            structlog.processors.JSONRenderer(sort_keys=True),
        ]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(exception_formatter=plain)]
