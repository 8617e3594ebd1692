"""Settings of accounts: sign-up and sign-in (allauth), passwords, tokens, throttles.

Imported by `base`. Without EMAIL_URL no code can be mailed, so accounts count as
verified and mails are printed to the console.
"""

from datetime import timedelta
from typing import Any

from scoundrel_site.env import env, networks

AUTHENTICATION_BACKENDS = ["api.rest.accounts.sign_in.backends.NameOrEmailBackend"]
PASSWORD_HASHERS = [
    "scoundrel_site.passwords.LightArgon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "scoundrel_site.passwords.PasswordValidator"},
]
PASSWORD_MINIMAL_STRENGTH = 2  # of zxcvbn's 0 to 4; enough against guessing online

# --- E-mail ------------------------------------------------------------------


def mail_settings(url: str) -> dict[str, Any]:
    """Return the settings that depend on whether e-mail can be sent."""
    is_set = bool(url.strip())
    sender = env.email_url_config(url) if is_set else {}
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend",
        **sender,
        "EMAIL_TIMEOUT": 10,
        "MAIL_IS_SET": is_set,
        "ACCOUNT_EMAIL_VERIFICATION": "mandatory" if is_set else "none",
        "ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED": is_set,
        # Strict: a sign-up with a known e-mail makes a row too, never to be verified.
        "ACCOUNT_PREVENT_ENUMERATION": "strict" if is_set else True,
        "ACCOUNT_SIGNUP_FIELDS": [
            "username*",
            "email*" if is_set else "email",
            "password1*",
        ],
    }


globals().update(mail_settings(env.str("EMAIL_URL", default="")))
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="Scoundrel Live <noreply@localhost>")

# --- allauth -------------------------------------------------------------------

ACCOUNT_APPS = [
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.headless",
    "knox",
]
ACCOUNT_ADAPTER = "api.rest.accounts.sign_in.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_USER_MODEL_EMAIL_FIELD = "email"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Scoundrel Live] "
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_SESSION_REMEMBER = True
# services/core/throttles counts instead: allauth's counters are in the cache, which
# without Redis is separate for each process.
ACCOUNT_RATE_LIMITS = False
MFA_RATE_LIMITS = False
MFA_ADAPTER = "api.rest.accounts.sign_in.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Scoundrel Live"
MFA_TOTP_TOLERANCE = 1
HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("browser",)
# Pages of the client that e-mails link to.
HEADLESS_FRONTEND_URLS = {
    "account_signup": "/sign-up",
    "account_confirm_email": "/verify-email/{key}",
    "account_reset_password": "/reset-password",
    "account_reset_password_from_key": "/reset-password/{key}",
    "socialaccount_login_error": "/sign-in?error=provider",
}

# --- Sign-in by other sites: off unless SOCIAL_PROVIDERS names one --------------
# SOCIAL_PROVIDERS=github,google with SOCIAL_GITHUB_ID, SOCIAL_GITHUB_SECRET, ...

SOCIAL_PROVIDERS: list[str] = env.list("SOCIAL_PROVIDERS", default=[])
SOCIALACCOUNT_PROVIDERS = {
    provider: {
        "APPS": [
            {
                "client_id": env.str(f"SOCIAL_{provider.upper()}_ID"),
                "secret": env.str(f"SOCIAL_{provider.upper()}_SECRET"),
                "key": "",
            }
        ]
    }
    for provider in SOCIAL_PROVIDERS
}
if SOCIAL_PROVIDERS:
    ACCOUNT_APPS += [
        "allauth.socialaccount",
        *(f"allauth.socialaccount.providers.{name}" for name in SOCIAL_PROVIDERS),
    ]

# --- Tokens for programs --------------------------------------------------------

KNOX_TOKEN_MODEL = "game.Token"
# Knox's own table is not needed, and its first migration assumes it.
MIGRATION_MODULES: dict[str, str | None] = {"knox": None}
REST_KNOX = {
    "TOKEN_MODEL": KNOX_TOKEN_MODEL,
    "TOKEN_PREFIX": "sdl_",
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(days=90),
}

# --- Throttles ------------------------------------------------------------------
# 1: as in services/core/rate_limits; 2: twice as much; 0: no limits, for benchmarks.

THROTTLE_SCALE = env.float("THROTTLE_SCALE", default=1.0)
MOVES_A_SECOND = env.float("MOVES_A_SECOND", default=10.0)
MOVES_AT_ONCE = env.float("MOVES_AT_ONCE", default=40.0)
# How many trusted proxies add to X-Forwarded-For.
TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXY_COUNT
# Networks (CIDR) that many people share without being one household: accounts that are
# used there are not linked by their address. For a site of one school or office.
SHARED_NETWORKS: list[str] = networks("SHARED_NETWORKS")
