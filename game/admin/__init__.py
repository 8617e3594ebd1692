"""The moderation desk: a read-only Django admin site whose forms call services.

An entry point like REST: it turns a form into one service call, and a refusal into its
sentence. No page shows a card or the seed of a dungeon that is not revealed.
"""
