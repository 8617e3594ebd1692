"""The roles of staff, in their order."""

from enum import IntEnum


class StaffRole(IntEnum):
    """Who keeps order. A higher one may do all that a lower one may.

    Nobody acts on somebody of his own role or a higher one.
    """

    NOBODY = 0
    HELPER = 1
    MODERATOR = 2
    ADMINISTRATOR = 3

    @property
    def key(self) -> str:
        """How it is stored: "", helper, moderator, administrator."""
        return "" if self is StaffRole.NOBODY else self.name.lower()


STAFF_ROLE_BY_KEY = {role.key: role for role in StaffRole}
