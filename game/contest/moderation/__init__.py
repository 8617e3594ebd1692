"""Keeping order, as pure values: what moderators may do, by whom, for how long, and how
it is taken back. Knows no table, no clock and nobody's name.
"""
