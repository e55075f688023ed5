"""The nouns of the things in laws, with the traits that each can show. No pixels: `drawing` draws them."""

import msgspec


class Noun(msgspec.Struct, frozen=True):
    """The words for a noun, and the traits that it can show."""

    described: str  # the thing without its name, for prompts that avoid the name (CF-World, section 5.3)
    described_many: str = ""  # several of them without their name, where a law counts them
    plural: str = ""  # where it does not end in "s"
    faces: bool = False  # it points somewhere
    verb: tuple[str, str] = ("point", "points")  # for a noun that faces: plural ("point") and singular ("points")
    lights: bool = False  # it is lit or dark
    fills: bool = False  # it is full or empty, in quarters
    holds: bool = False  # it has an inside
    forms: bool = False  # it comes in the forms of `palette.SHAPES`
    plain: bool = False  # its colour is always the same, and not part of its name
    mass: bool = False  # it is not counted: there is some of it, or none
    # The coloured part, as "liquid in" or "petals of", if that is not the whole thing; it is also the part that points.
    part: str = ""


def _pointing(described: str, verb: str = "point", third: str = "", part: str = "", mass: bool = False) -> Noun:
    """A noun that points somewhere; `verb`: for that ("fly"); `third`: its third person, by default with an s."""
    return Noun(described, faces=True, verb=(verb, third or f"{verb}s"), part=part, mass=mass)


NOUNS: dict[str, Noun] = {
    # Loose bodies. Their colour reaches all four sides of their box, so that contact can be seen.
    "ball": Noun("round toy that bounces", "round toys that bounce"),
    "box": Noun("object with four equal sides and corners"),
    "balloon": Noun("rubber skin on a string", "rubber skins on strings"),
    "stone": Noun("hard lump from the ground", "hard lumps from the ground"),
    "block": Noun("solid piece with straight edges"),
    "plank": Noun("flat piece cut from a trunk"),
    "post": Noun("upright pole"),
    "coin": Noun("flat round piece of money"),
    "ice": Noun("frozen water", mass=True),
    "cork": Noun("stopper from a bottle"),
    "feather": Noun("piece of a bird's coat"),
    "ring": Noun("hoop", "hoops"),
    "rope": Noun("twisted cord"),
    "wheel": Noun("round part that rolls"),
    "weight": Noun("piece of metal for a pair of scales"),
    "nail": Noun("metal pin with a flat head"),
    "magnet": Noun("bar that pulls iron"),
    "spring": Noun("coiled wire"),
    "book": Noun("bound pile of pages"),
    "parcel": Noun("package wrapped in paper"),
    # Nature.
    "apple": Noun("round fruit that grows on a branch"),
    "leaf": Noun("flat part that a plant grows on its branches", plural="leaves"),
    "tree": Noun("plant with a trunk and branches"),
    "flower": Noun("blossom on a stalk", part="petals of"),
    "egg": Noun("oval thing that a bird lays", "oval things that birds lay"),
    "fish": _pointing("animal with fins that lives in water", "face"),
    "bird": _pointing("animal with wings and a beak", "face"),
    "cloud": Noun("puffy patch of vapour in the sky"),
    "sun": Noun("star that gives us daylight"),
    "moon": Noun("round body that circles the earth"),
    "planet": Noun("round body that circles a star", forms=True),
    "mountain": Noun("peak of rock"),
    "island": Noun("land with water all around"),
    "seed": Noun("grain from which a plant grows", "grains from which plants grow"),
    "mushroom": Noun("cap on a stalk that grows in damp woods", "caps on stalks that grow in damp woods"),
    "butterfly": Noun("insect with four broad wings", plural="butterflies"),
    "sheep": Noun("woolly farm animal", plural="sheep"),
    "crystal": Noun("regular mineral with flat faces", forms=True),
    "bubble": Noun("thin film around a bit of air", "thin films around a bit of air", forms=True),
    "drop": Noun("bit of falling liquid", forms=True),
    "puddle": Noun("shallow patch of water", forms=True),
    "cell": Noun("living speck", "living specks", forms=True),
    "salt": Noun("mineral that seasons food", forms=True, mass=True),
    "soda": Noun("powder for baking", plural="soda", forms=True, mass=True),
    "alum": Noun("mineral that is used for pickling", forms=True, mass=True),
    "lake": Noun("stretch of still water"),
    "water": Noun("liquid that we drink", plural="water", mass=True),
    "oil": Noun("greasy liquid for frying", plural="oil", mass=True),
    "syrup": Noun("sugary liquid for pancakes", plural="syrup", mass=True),
    "tea": Noun("brewed drink from leaves", plural="tea", mass=True),
    "asteroid": Noun("lump of rock in space"),
    "tail": _pointing("streak behind a comet's head"),
    "plume": _pointing("wavy streak of dust in space"),
    "sunflower": _pointing("plant with one big round head of seeds", "grow", part="petals of"),
    "bamboo": Noun("woody grass with a jointed stem", plural="bamboos"),
    "hedge": Noun("dense row of clipped bushes"),
    "berry": Noun("juicy fruit from a bush", plural="berries"),
    "bacterium": Noun("rod-shaped microbe", "rod-shaped microbes", plural="bacteria"),
    "cat": Noun("pet that purrs and has whiskers", forms=True),
    "kitten": Noun("young pet with whiskers", forms=True),
    "dog": Noun("pet that barks", forms=True),
    "puppy": Noun("young pet that barks", plural="puppies", forms=True),
    # Devices: the part that stays is dark, and the part that shows the device's state is coloured.
    "lamp": Noun("object on a stand that can give light", lights=True, part="shade of"),
    "candle": Noun("stick of wax with a wick", lights=True),
    "lantern": Noun("glazed case that can give light", lights=True),
    "tank": Noun("vessel with clear walls", fills=True, holds=True),
    "cup": Noun("vessel to drink from", fills=True, holds=True),
    "jar": Noun("wide glass with a rim", part="liquid in"),
    "bottle": Noun("glass with a thin neck", part="liquid in"),
    "thermometer": Noun("glass tube that shows how warm it is", fills=True, part="column of"),
    "battery": Noun("cell that stores charge", plural="batteries", fills=True, part="charge in"),
    "basket": Noun("open woven holder", holds=True),
    "flag": _pointing("piece of cloth on a pole", "fly", "flies"),
    "needle": _pointing("pivoting pointer on a dial"),
    "sprout": _pointing("young plant in a pot", "grow"),
    "smoke": _pointing("plume from a chimney", "drift", mass=True),
    "beam": _pointing("ray that a torch sends out", "shine"),
    "fountain": _pointing("jet of water from a nozzle", "spray"),
    "fan": _pointing("machine with blades that makes a wind", "blow"),
    "ray": _pointing("thin line of light", "travel"),
    "gleam": _pointing("streak of light", "travel"),
    "sundial": _pointing("dial whose pointer is the shade of a rod", part="shade on"),
    "car": _pointing("family vehicle on four wheels", "face"),
    "boat": _pointing("vessel with a hull", "face"),
    "compass": _pointing("arrow in a square case that sailors steer by", part="arrow of"),
    "wire": Noun("metal thread that carries current", plain=True),
    "shadow": Noun("dark shape where light is blocked", plain=True),
    "mirror": Noun("surface that shows what stands before it"),
    "reflector": Noun("slanting plate that throws light back"),
    "lens": Noun("round glass with a handle, to look through", plural="lenses", holds=True),
    # People and their things.
    "house": Noun("building to live in", lights=True),
    "tower": Noun("narrow building of many floors", lights=True),
    "tent": Noun("shelter of cloth to camp in", lights=True),
    "door": Noun("panel that closes an entrance"),
    "sign": _pointing("board that shows the way"),
    "person": Noun("human being", plural="people"),
    "shirt": Noun("garment with two sleeves"),
    "umbrella": Noun("folding shelter against rain"),
    "bus": _pointing("road vehicle for many passengers", "face"),
    "cap": Noun("soft thing worn on the head"),
    "chair": Noun("seat with a back"),
    "signal": Noun("lamps on a post that tell traffic what to do", part="light of"),
}
# Plain figures, for rules that are about nothing in particular.
SYMBOLS: dict[str, Noun] = {
    "disc": Noun("circle", "circles"),
    "tile": Noun("square", "squares"),
    "cross": Noun("figure like a plus sign", plural="crosses"),
    "star": Noun("figure with five points"),
    "hoop": Noun("ring"),
    "slash": Noun("stroke that slants", plural="slashes"),
    "wedge": Noun("triangle"),
    "kite": Noun("pointed figure with four corners", "pointed figures with four corners"),
    "bar": Noun("straight strip"),
    "patch": Noun("grey area", plural="patches", plain=True),
    "dart": _pointing("arrow from a black dot"),
    "panel": Noun("square with a round spot", lights=True),
    "vessel": Noun("rectangle open at the top", fills=True, holds=True),
    "column": Noun("tall rectangle marked in quarters", fills=True, holds=True),
    "token": Noun("figure with a white spot", "figures with a white spot", forms=True),
    "badge": Noun("figure with a black square", "figures with a black square", forms=True),
}
NOUNS |= SYMBOLS
