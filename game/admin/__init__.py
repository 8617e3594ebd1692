"""The moderators' desk: Django's admin, read richly and written by services alone.

A door like REST: it turns a form into one service call and a refusal into its sentence.
It must not know how a move, a board or a sanction is stored, and no page of it shows a
card or a seed of a dungeon that is not revealed.
"""
