"""Which histories an engine takes: checks of version, dimensions and identity (R03-R06, R18).

check        differs, found by the engine    differs, typed by the user
version      refused                         refused
dimensions   refused                         refused
identity     refused, PIN= is offered        read, with a notice (R19)
"""

Dimensions = tuple[int, int]


class Refused(Exception):  # noqa: N818 - the contract's word for it; a refusal is an answer, not an error
    """A history that was not read; the reason names both sides, and only identity has a way past (R18)."""

    def __init__(self, reason: str, *, offers_pin: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offers_pin = offers_pin

    def sentence(self, path: str) -> str:
        """Return the whole message about the history at `path`."""
        advice = f"; pass PIN={path} to read it all the same" if self.offers_pin else ""
        return f"{path}: refused: {self.reason}{advice}"


def check_version(version: int, newest: int, writer: str, reader: str) -> None:
    """Raise Refused for a version above `newest` (R04) or below 1 (R24)."""
    if not 1 <= version <= newest:
        raise Refused(
            f"written by {writer} in format version {version}, and this engine, {reader}, "
            f"reads versions 1 to {newest}; its records may mean something else (R04, R24)"
        )


def check_dimensions(declared: Dimensions, own: Dimensions, writer: str, reader: str) -> None:
    """Raise Refused when (n_layers, n_experts) differ from the engine's own in either number (R03, I03)."""
    if declared != own:
        raise Refused(
            f"written by {writer} for {declared[0]} layers of {declared[1]} experts, and this engine, "
            f"{reader}, has {own[0]} of {own[1]}; it is the history of another model (R03)"
        )


def check_identity(same: bool, trusted: bool, writer: str, reader: str) -> None:
    """Raise Refused for another engine's history, unless the user typed its path (R05, R06, I02, I04)."""
    if not same and not trusted:
        raise Refused(f"written by {writer}, and this engine is {reader} (R05)", offers_pin=True)
