"""Admin pages of moderation: reports, cases, acts and appeals."""
