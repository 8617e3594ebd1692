"""Reading whole numbers from text that a client sent."""


def parse_whole(text: str, *, at_most: int) -> int | None:
    """Return the number from 0 to `at_most` that the ASCII digits say, else None.

    The length is checked first: Python raises ValueError for thousands of digits.
    """
    if len(text) > len(str(at_most)) or not (text.isascii() and text.isdigit()):
        return None
    number = int(text)
    return number if number <= at_most else None
