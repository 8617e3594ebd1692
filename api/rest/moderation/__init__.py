"""REST views of moderation: reports, cases, acts and appeals."""
