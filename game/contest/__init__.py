"""Pure racing: phases, placing, rating, pairing, and what a viewer may see.

No Django, no clock, no chance: times enter as `at`, and every act is a function from a
value and a command to the value after it and what happened. Start reading at `race`
(the values and the phase), then `commands` (what people may do) and `due` (what time
does by itself); `horizon` is the one place that decides who sees what.
"""
