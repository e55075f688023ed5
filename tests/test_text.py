"""What others wrote: nothing in it acts, turns text around or is unseen, and all else stays as it is."""

import doctest
import json
import shutil
import subprocess
import unicodedata

import pytest
from sweeping import swept

from counterbench import text
from counterbench.text import quoted, visible, visible_json

PLAIN = "naïve Ångström, 図形 עברית عربي हिन्दी क्‍ष, 👍🏽 👩‍👧 ❤️ 1️⃣, http://[::1]:8000 [/x] \\x1b"


def test_the_examples_in_docstrings_hold() -> None:
    assert doctest.testmod(text).failed == 0


def test_letters_of_all_languages_and_emoji_stay() -> None:
    assert visible(PLAIN) == PLAIN


@swept(
    ("hostile", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31m\x85", r"\u009b31m\u0085"),
        ("a\rb\nc\td\x7f", r"a\rb\nc\td\x7f"),
        ("x\u202ey\u2066z\u2028\u2029", r"x\u202ey\u2066z\u2028\u2029"),
        ("gpt\u200b-\ufeff4\u00ado\u2060", r"gpt\u200b-\ufeff4\u00ado\u2060"),
        ("gpt\u200d4", r"gpt\u200d4"),
        ("m\ufe00 m\ufe0f \u2800", r"m\ufe00 m\ufe0f \u2800"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("half \ud800 \udcff", r"half \ud800 \udcff"),
    ],
)
def test_control_and_invisible_characters_are_escaped(hostile: str, shown: str) -> None:
    assert visible(hostile) == shown
    assert visible(shown) == shown


def test_no_control_or_format_character_is_left() -> None:
    scripts = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN", "SHORTHAND")  # scripts with signs of this kind that are drawn
    for sign in map(chr, range(0x110000)):
        if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") and visible(sign) == sign:
            assert unicodedata.name(sign).startswith(scripts), hex(ord(sign))


def test_json_keeps_its_values() -> None:
    values = {"a\u202e": ["\x9b", "\x7f", "\u2028", "\U000e0041", "\ud800", PLAIN, "\x1b"]}
    shown = visible_json(json.dumps(values, ensure_ascii=False, indent=2))
    assert json.loads(shown) == values
    assert [line for line in shown.split("\n") if visible(line) != line] == []
    assert PLAIN.replace("\\", "\\\\") in shown


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_quoted_word_is_the_same_single_word_to_a_shell(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    words = [
        "plain",
        "",
        "two words",
        "$(touch x)`y`;'\"",
        "\x1b]0;t\x07'\\",
        "a\nnext: b",
        "\u202egnp.\u009b",
        PLAIN,
        "-v",
    ]
    line = " ".join(map(quoted, words))
    assert visible(line) == line
    result = subprocess.run(
        [shell, "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    )
    assert result.stdout.decode().split("\0")[:-1] == words
