"""The eight colours and four shapes: their pixels, their names, and other words for them.

Any two colours, and any colour and any background shade, are at least 20 apart in CIEDE2000
(`tests/test_palette.py`), so that people agree on the names.
"""

from typing import Literal, get_args

RGB = tuple[int, int, int]

Colour = Literal["red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink"]
ShapeKind = Literal["circle", "square", "triangle", "diamond"]
SignColour = Literal["white", "yellow", "orange", "cyan", "pink"]

COLOURS: tuple[Colour, ...] = get_args(Colour)
SHAPES: tuple[ShapeKind, ...] = get_args(ShapeKind)
SIGN_COLOURS: tuple[SignColour, ...] = get_args(SignColour)

COLOUR_RGB: dict[Colour, RGB] = {
    "red": (214, 39, 40),
    "orange": (255, 140, 0),
    "yellow": (255, 221, 0),
    "green": (34, 150, 60),
    "cyan": (0, 205, 215),
    "blue": (0, 90, 230),
    "purple": (145, 30, 180),
    "pink": (255, 130, 190),
}

# Backgrounds are greys; a scene stores the grey value. Elements that are not shapes have fixed inks.
BACKGROUND = 245
BACKGROUND_SHADES: tuple[int, ...] = (225, 230, 235, 240, 245, 250, 255)
OUTLINE_RGB: RGB = (32, 32, 32)
CONTAINER_RGB: RGB = (92, 72, 52)
ARROW_RGB: RGB = (16, 16, 16)
# Inks of the things of laws: walls of a room, glass, liquid in a vessel that is named by its colour, the dark part that
# a pointer starts from, light, an unlit bulb, shade, and white.
ROOM_RGB: RGB = (104, 84, 66)
GLASS_RGB: RGB = (118, 128, 140)
LIQUID_RGB: RGB = (172, 198, 216)
ANCHOR_RGB: RGB = (58, 62, 72)
GLOW_RGB: RGB = (255, 243, 110)
UNLIT_RGB: RGB = (196, 200, 206)
SHADE_RGB: RGB = (150, 152, 158)
PALE_RGB: RGB = (252, 252, 250)
LABEL_DARK_RGB: RGB = (0, 0, 0)
LABEL_LIGHT_RGB: RGB = (255, 255, 254)  # one step off white, so that no background can be taken for a label
# Signs are light, so that black letters are clear on them.
SIGN_RGB: dict[SignColour, RGB] = {c: PALE_RGB if c == "white" else COLOUR_RGB[c] for c in SIGN_COLOURS}

# Familiar things, in four looks each: a die and its pips; a traffic light's case; a dog's coat and its darker parts;
# the red and blue of a flag; skin, and a sleeve; the rim of a clock.
DIE_RGB: tuple[tuple[RGB, RGB], ...] = (
    (PALE_RGB, (24, 24, 28)),
    ((200, 32, 40), (255, 255, 254)),
    ((30, 80, 170), (255, 255, 254)),
    ((236, 222, 186), (120, 20, 30)),
)
CASE_RGB: tuple[RGB, ...] = ((52, 56, 60), (28, 58, 48), (70, 60, 52), (38, 44, 74))
COAT_RGB: tuple[tuple[RGB, RGB], ...] = (
    ((198, 140, 76), (140, 90, 44)),
    ((128, 84, 52), (84, 52, 30)),
    ((226, 200, 152), (176, 142, 92)),
    ((130, 132, 138), (86, 88, 94)),
)
FLAG_RGB: tuple[tuple[RGB, RGB], ...] = (
    ((190, 26, 52), (26, 44, 100)),
    ((206, 36, 44), (20, 60, 130)),
    ((170, 24, 44), (34, 40, 84)),
    ((214, 50, 60), (40, 62, 140)),
)
SKIN_RGB: tuple[tuple[RGB, RGB], ...] = (
    ((246, 206, 170), (62, 108, 170)),
    ((214, 160, 116), (120, 48, 60)),
    ((160, 108, 72), (70, 120, 84)),
    ((104, 68, 46), (190, 160, 60)),
)
RIM_RGB: tuple[RGB, ...] = ((60, 62, 70), (150, 40, 44), (36, 84, 140), (128, 92, 50))

# The colour of nearest hue, which a judge that confuses colours (a planted fault) says instead; in both directions.
_NEAREST: dict[Colour, Colour] = {"red": "orange", "yellow": "green", "cyan": "blue", "purple": "pink"}
CONFUSED_WITH = {**_NEAREST, **{other: colour for colour, other in _NEAREST.items()}}

# Other words for our colours. `strict` scoring does not take them.
COLOUR_SYNONYMS: dict[str, Colour] = {
    "turquoise": "cyan",
    "teal": "cyan",
    "aqua": "cyan",
    "aquamarine": "cyan",
    "violet": "purple",
    "crimson": "red",
    "scarlet": "red",
    "rose": "pink",
    "amber": "orange",
    "navy": "blue",
    "azure": "blue",
    "lime": "green",
    "emerald": "green",
    "golden": "yellow",
    "gold": "yellow",
}

# Colours that a judge may name and that are none of ours: definite, wrong answers.
OTHER_COLOURS: tuple[str, ...] = (
    "black",
    "white",
    "grey",
    "brown",
    "magenta",
    "indigo",
    "beige",
    "silver",
    "maroon",
    "burgundy",
    "fuchsia",
    "lavender",
    "lilac",
    "mauve",
    "olive",
    "salmon",
    "coral",
    "peach",
    "cream",
    "tan",
    "bronze",
    "charcoal",
)

# Other words for our shapes (singular; plurals are the parser's business). `strict` scoring does not take them.
SHAPE_SYNONYMS: dict[str, ShapeKind] = {
    "disc": "circle",
    "disk": "circle",
    "dot": "circle",
    "ball": "circle",
    "box": "square",
    "block": "square",
    "rhombus": "diamond",
    "lozenge": "diamond",
}
OTHER_SHAPES: tuple[str, ...] = (
    *(
        "rectangle",
        "star",
        "pentagon",
        "hexagon",
        "octagon",
        "polygon",
        "oval",
        "ellipse",
        "cross",
        "heart",
        "trapezoid",
    ),
    *("parallelogram", "cube", "sphere", "ring", "semicircle", "crescent", "cylinder"),
)
