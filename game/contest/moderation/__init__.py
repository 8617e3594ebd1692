"""Pure functions of moderation: acts, roles, reasons, audit chain, play patterns."""
