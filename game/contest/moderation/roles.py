"""The roles of moderators, in ascending order."""

from enum import IntEnum


class StaffRole(IntEnum):
    """The role of an account on the site. A higher role includes all lower ones.

    Acts are only possible on accounts with a lower role than one's own.
    """

    NOBODY = 0
    HELPER = 1
    MODERATOR = 2
    ADMINISTRATOR = 3

    @property
    def key(self) -> str:
        """The stored value: "", helper, moderator or administrator."""
        return "" if self is StaffRole.NOBODY else self.name.lower()


STAFF_ROLE_BY_KEY = {role.key: role for role in StaffRole}
