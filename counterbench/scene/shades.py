"""The difference of two fills to the eye, ΔE00: 1 is just noticeable side by side.

CIEDE2000 (CIE 142-2001; ISO/CIE 11664-6) by the formulas of Sharma, Wu and Dalal, "The CIEDE2000 color-difference
formula", Color Research and Application 30 (2005), with kL = kC = kH = 1; of sRGB (IEC 61966-2-1) under D65.
"""

from functools import lru_cache
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

from counterbench.palette import RGB

_WHITE = (0.95047, 1.0, 1.08883)  # D65
_TO_XYZ = (  # from linear sRGB
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)


@lru_cache(maxsize=4096)
def difference(first: RGB, second: RGB) -> float:
    """ΔE00 of two sRGB colours, in steps of a thousandth, so that no platform's last digit matters.

    In the paper's symbols: `turn` is Δh′, `light`, `chroma` and `hue` are the means of L′, C′ and h′, `by_light`,
    `by_chroma` and `by_hue` are ΔL′ / S_L, ΔC′ / S_C and ΔH′ / S_H, and `rotation` is R_T.
    """
    (l1, a1, b1), (l2, a2, b2) = _lab(first), _lab(second)
    g = 1 + 0.5 * (1 - _chroma_weight((hypot(a1, b1) + hypot(a2, b2)) / 2))
    c1, c2 = hypot(g * a1, b1), hypot(g * a2, b2)
    h1, h2 = degrees(atan2(b1, g * a1)) % 360, degrees(atan2(b2, g * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = 1 - 0.17 * _cos(hue - 30) + 0.24 * _cos(2 * hue) + 0.32 * _cos(3 * hue + 6) - 0.20 * _cos(4 * hue - 63)
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * t)
    rotation = -2 * _chroma_weight(chroma) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return round(sqrt(by_light**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue), 3)


def _chroma_weight(chroma: float) -> float:
    """The factor √(C⁷ ÷ (C⁷ + 25⁷)) of CIEDE2000, near 0 for greys and near 1 for strong colours."""
    return sqrt(chroma**7 / (chroma**7 + 25.0**7))


def _cos(angle: float) -> float:
    """The cosine of an angle in degrees."""
    return cos(radians(angle))


@lru_cache(maxsize=4096)
def _lab(rgb: RGB) -> tuple[float, float, float]:
    """The coordinates L*, a* and b* (CIE L*a*b*) of an sRGB colour."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in rgb)]
    xyz = [sum(a * b for a, b in zip(row, linear, strict=True)) for row in _TO_XYZ]
    x, y, z = (_lab_root(value / white) for value, white in zip(xyz, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _lab_root(t: float) -> float:
    """The function f of CIE L*a*b*: a cube root that is linear near 0."""
    return t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
