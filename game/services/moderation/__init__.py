"""Keeping order: reports come in, moderators act, accounts are told and may appeal.

Every act goes through `acts`: it asks who may, writes the act, its effect, the notice
and the log in one transaction, and knows the way back. Doors are the REST API for
players and the desk for staff; both call the same services.
"""
