"""Statistics of samples."""

import math
from collections.abc import Sequence


def standard_error(values: Sequence[int]) -> float:
    """The standard error of the mean of the values; 0 for fewer than two."""
    count = len(values)
    if count < 2:
        return 0.0
    mean = sum(values) / count
    return math.sqrt(sum((v - mean) ** 2 for v in values) / (count - 1) / count)
