"""Rate limits, listed in docs/accounts.md.

A limit counts by account where there is one, by address otherwise. Limits by address
are wide, because a school or a household shares one. Exceeding a limit never bans.
"""

from game.services.core.throttles import Limit, TokenBuckets

MINUTE, HOUR, DAY = 60, 3600, 86_400

GUEST_BY_ADDRESS = Limit("guest", 60, HOUR)
SIGN_IN_BY_ADDRESS = Limit("sign_in.address", 60, 5 * MINUTE)
# The same name from one address stops guessing; the same account from anywhere stops a
# guesser with many addresses. Places where the account has signed in are not refused.
SIGN_IN_BY_NAME_HERE = Limit("sign_in.name_here", 10, 5 * MINUTE)
SIGN_IN_BY_NAME = Limit("sign_in.name", 100, HOUR)
SIGN_UP_BY_ADDRESS = Limit("sign_up.address", 20, HOUR)
RESET_BY_ADDRESS = Limit("reset.address", 20, HOUR)
MAIL_BY_EMAIL = Limit("mail.email", 5, HOUR)
CODE_BY_ADDRESS = Limit("code.address", 60, 10 * MINUTE)
CODE_BY_ACCOUNT = Limit("code.account", 10, 15 * MINUTE)
PASSWORD_BY_ACCOUNT = Limit("password.account", 10, 15 * MINUTE)
ALLAUTH_BY_ADDRESS = Limit("people.address", 300, 5 * MINUTE)
TOKEN_BY_ACCOUNT = Limit("token.account", 30, HOUR)
BAD_TOKEN_BY_ADDRESS = Limit("bad_token.address", 60, MINUTE)
EXPORT_BY_ACCOUNT = Limit("export.account", 6, HOUR)
MATCH_BY_ACCOUNT = Limit("match.account", 120, 10 * MINUTE)
RACE_BY_ACCOUNT = Limit("race.account", 60, 10 * MINUTE)
# Joining, leaving, getting ready: each is a stored event.
RACE_ACT_BY_ACCOUNT = Limit("race_act.account", 120, 5 * MINUTE)
CHAT_BY_ACCOUNT = Limit("chat.account", 120, 5 * MINUTE)
RUN_BY_ACCOUNT = Limit("run.account", 60, MINUTE)
MOVE_UNDO_BY_ACCOUNT = Limit("undo.account", 600, 10 * MINUTE)
# Also without an account: then by address.
REVIEW_BY_REQUESTER = Limit("review.asker", 30, 10 * MINUTE)
SOLVE_BY_REQUESTER = Limit("solve.asker", 300, 10 * MINUTE)
WHAT_IF_BY_REQUESTER = Limit("what_if.asker", 600, 10 * MINUTE)
# A class of thirty learns in one network.
LEARNING_BY_REQUESTER = Limit("learning.asker", 3000, 10 * MINUTE)
ACCOUNT_WRITE_BY_ACCOUNT = Limit("account.account", 60, 10 * MINUTE)
REPORT_BY_ACCOUNT = Limit("report.account", 10, HOUR)
# Guests are created without an account; a school may have several reports to make.
REPORT_BY_ADDRESS = Limit("report.address", 60, HOUR)
APPEAL_BY_ACCOUNT = Limit("appeal.account", 10, DAY)

moves = TokenBuckets("move.account")
