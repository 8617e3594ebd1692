"""Structured logs: readable lines in development, JSON in production.

Never log a secret: no seed, token, password or cookie.
"""

import logging
import logging.config
from typing import Any

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import Processor

# Loggers that repeat in several lines what one request line says.
VERBOSE_LOGGERS = ("daphne", "django.server", "django.channels.server", "asyncio")


class OneLineFilter(logging.Filter):
    """Logs a request that Django refuses as suspicious (wrong host, too many fields) as
    one line at WARNING without a traceback: it is no error of the site.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten such a record; keep every record."""
        if record.name.startswith("django.security."):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = record.exc_text = None
        return True


def configure(wanted: dict[str, Any]) -> None:
    """Set up structlog and the standard library's logging.

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
    # A refused request has its own line at INFO already. A periodic task that expired
    # in the queue needs none: the next one does its work.
    expected = ("django.request", "django_structlog.celery.receivers")
    errors_only = {name: {"level": "ERROR"} for name in expected}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"one_line": {"()": OneLineFilter}},
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *_renderers(as_json=bool(wanted["json"])),
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
        "loggers": dict.fromkeys(VERBOSE_LOGGERS, quiet) | errors_only,
    }


def _renderers(*, as_json: bool) -> list[Processor]:
    if as_json:
        return [
            structlog.processors.ExceptionRenderer(
                ExceptionDictTransformer(show_locals=False)
            ),
            structlog.processors.JSONRenderer(sort_keys=True),
        ]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(exception_formatter=plain)]
