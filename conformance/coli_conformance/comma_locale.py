"""Finding a locale whose decimal point is a comma, under which T09 is asked."""

from __future__ import annotations

import locale
from functools import cache

CANDIDATES = ("de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "pl_PL", "pt_BR", "ru_RU", "sv_SE")
"""Locales that are tried, each in UTF-8: installed ones differ from machine to machine."""

HOW_TO_INSTALL = (
    "no locale with a decimal comma is installed here. On Debian: apt-get install locales, then "
    "localedef -i de_DE -f UTF-8 de_DE.UTF-8"
)


@cache
def comma_locale() -> str | None:
    """Return the name of an installed locale whose decimal point is a comma, or None.

    The C library is asked, and its own setting is put back.
    """
    before = locale.setlocale(locale.LC_NUMERIC)
    try:
        return next((name for base in CANDIDATES if _has_comma(name := f"{base}.UTF-8")), None)
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)


def _has_comma(name: str) -> bool:
    try:
        locale.setlocale(locale.LC_NUMERIC, name)
    except locale.Error:
        return False
    return locale.localeconv()["decimal_point"] == ","
