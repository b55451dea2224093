# SPDX-License-Identifier: GPL-2.0-only
"""Text of others for terminals and pages: without characters that control these, or hide what is there."""

from __future__ import annotations

import re

# Controls of terminals, and what changes the direction of text or hides in it; ends of lines and tabs are none of them.
_INVISIBLE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff"
CONTROL = re.compile(f"[{_INVISIBLE}\U000e0000-\U000e007f]")
_IN_NAME = re.compile(f"[\t\n{CONTROL.pattern[1:]}")


def escaped(text: str) -> str:
    """A text without control characters, but for ends of lines and tabs: \\x1b stands for the one of ESC."""
    return CONTROL.sub(_number_of, text)


def escaped_name(text: str) -> str:
    """The same without ends of lines and tabs: a text in one line."""
    return _IN_NAME.sub(_number_of, text)


def _number_of(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
