"""Pure functions of races, dailies, boards and ratings.

No Django, no clock, no randomness: times are arguments. Start with `race` (the values
and the phases), then `commands` (what players do) and `timed_transitions` (what happens
at a due time); `horizon` alone decides what a viewer sees of a race.
"""
