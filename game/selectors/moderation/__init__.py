"""Selectors of moderation: reports, cases, acts and appeals."""
