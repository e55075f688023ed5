"""Files as disks, editors and enemies leave them: valid ones with something wrong, the same by the same random."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

DEEP = "@@deep@@"
# What stands where something else is due. DEEP becomes nesting of any depth.
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 0.5, 1e308, 5e-324, -0.0, 255, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64,
    10**20, 10**300, float("inf"), float("nan"), -(10**20), "", " ", "yes", "no", "x" * 300, "x" * 5000, "../../etc/x",
    "/etc/passwd", "a\0b", "a\nb", "\u202egnp", "\u200b", "né 図 👍", "\ud800", "[/x]", "%s{}", "١٢", "²", "1e5", "-1",
    "counterbench.run/2", "counterbench.run/" + "9" * 5000, "9" * 5000, [], {}, [[]], [None], {"a": {}}, {"": []}, DEEP,
)  # fmt: skip
ODD_TOML = (
    '""', "''", "-1", "0", "1", "0.1", "9223372036854775807", "9223372036854775808", "1" + "0" * 20, "9" * 5000, "nan",
    "inf", "1e308", "1e400", "0x7fffffffffffffff", "true", "1979-05-27", "[]", "{}", "[[]]", "[1, 'a']", "{a = 1}",
    "['falling']", "[" * 5000, "[" * 150 + "]" * 150, "{a=" * 150 + "1" + "}" * 150, '"\\u202e"', '"a\\u0000b"',
    f'"{"x" * 300}"', '"../../etc/x"', '"-"', '"é図👍"', '"counterbench.suite/2"', f'"counterbench.suite/{"9" * 5000}"',
)  # fmt: skip
BYTES = (
    *(b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", "\u202e\u2028\x85".encode(), b"\r\n", b"\n\n"),
    *(b'"', b"[", b"}", b"9" * 5000),
)


def mutant(data: bytes, random: Random) -> bytes:
    """`data` with one thing wrong, sometimes two or three."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        ways = [_bytes, _lines]
        ways += [_json] * 4 if data[:1] in (b"{", b"[") else []
        ways += [_toml] * 4 if b" = " in data else []
        data = random.choice(ways)(data, random)
    return data


def _bytes(data: bytes, random: Random) -> bytes:
    """Bits flipped, bytes lost or put in, an end or a beginning cut off."""
    at, to = sorted(random.randrange(len(data) + 1) for _ in range(2))
    match random.randrange(5):
        case 0 if data:
            changed = bytearray(data)
            for _ in range(random.choice((1, 1, 2, 8))):
                changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
            return bytes(changed)
        case 1:
            return data[:at]
        case 2:
            return data[:at] + data[to:]
        case 3:
            return data[:at] + random.choice(BYTES) + data[at:]
        case _:
            return data[:at] + data[at:to] * 2 + data[to:]


def _lines(data: bytes, random: Random) -> bytes:
    """Lines lost, twice, or in another order; or none at all."""
    lines = data.splitlines(keepends=True)
    if not lines or random.random() < 0.05:
        return b""
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(3):
        case 0:
            del lines[i]
        case 1:
            lines.insert(j, lines[i])
        case _:
            lines[i], lines[j] = lines[j], lines[i]
    return b"".join(lines)


def _json(data: bytes, random: Random) -> bytes:
    """In a document, or in one of its lines if each is one: values, keys and types exchanged."""
    lines = [data]
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        lines = data.splitlines()
    at = random.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return data
    lines[at] = _unlike(value, random)
    return b"\n".join(lines) + b"\n"


def _unlike(value: Any, random: Random) -> bytes:
    holder: Any = [value]
    places = list(_places(holder))
    where, key = random.choice(places)
    match random.randrange(6):
        case 0 if isinstance(where, dict):
            del where[key]
        case 1 if isinstance(where, dict):
            where[random.choice([*where, "format", "unknown", "\u202e", ""])] = where.pop(key)
        case 2:
            elsewhere, name = random.choice(places)
            where[key], elsewhere[name] = elsewhere[name], where[key]
        case 3 if isinstance(where[key], int | float) and not isinstance(where[key], bool):
            where[key] = random.choice([where[key] + 1, -where[key], where[key] * 1e9, 2**31, 2**63, 10**20, 0])
        case 4:
            where[key] = random.choice([new for new in (*ODD, where[key]) if type(new) is type(where[key])])
        case _:
            where[key] = random.choice(ODD)
    try:
        text = json.dumps(holder[0])
    except (ValueError, RecursionError):  # a value that was put into itself
        text = "{}"
    if DEEP in text:
        depth = random.choice((50, 500, 900, 5000, 100_000))
        begin, end = random.choice((("[", "]"), ('{"a":', "}")))
        text = text.replace(f'"{DEEP}"', begin * depth + "1" + end * depth * random.randrange(2))
    return text.encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _toml(data: bytes, random: Random) -> bytes:
    """A value, a key or a table's name exchanged."""
    text = data.decode("utf-8", "surrogateescape")
    found = list(re.finditer(r"(?m)^(\s*[\w.-]+)( = )(.*)$|^(\[+)([\w.]+)(\]+)$", text))
    if not found:
        return data
    line = random.choice(found)
    if line[2] is None:
        new = random.choice(
            [f"{line[4]}unknown{line[6]}", f"[{line[5]}]", f"[[{line[5]}]]", "[" + ".".join("a" * 999) + "]"]
        )
    elif random.random() < 0.2:
        new = random.choice(["unknown", '""', "name", "format"]) + f" = {line[3]}"
    else:
        taken = random.choice([*ODD_TOML, *(other[3] for other in found if other[3])])
        new = f"{line[1]} = {taken}"
    return (text[: line.start()] + new + text[line.end() :]).encode("utf-8", "surrogateescape")
