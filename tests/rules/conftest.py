"""Fixtures of the rules' tests."""

import pytest

from game.rules import RULESETS, Ruleset


@pytest.fixture(params=list(RULESETS))
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    """Each published ruleset in turn."""
    return RULESETS[request.param]
