"""Nouns in questions: the test if a phrase names a thing that drawn pairs speak for (`is_noun`), and plurals.

The lists of words below decide it. A thing is a noun, of one word or several ("fire hydrant"), with colours before it
and nothing else that describes it: no drawn pair shows that a judge tells an angry person from a calm one, or a wooden
table from a stone one.
"""

import re

COLOURS = (
    "red", "green", "blue", "yellow", "orange", "purple", "pink", "cyan", "brown", "black", "white", "gray", "grey",
)  # fmt: skip
PICTURE = r"(?:picture|image|photo|photograph|scene)"
# Words for writing, which questions of the skill `text` are about.
WRITING = frozenset(
    {"text", "texts", "word", "words", "letter", "letters", "lettering", "caption", "captions", "title", "heading"}
    | {"headline", "inscription", "slogan", "writing"}
)
_IRREGULAR = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "mouse": "mice", "foot": "feet",
    "goose": "geese", "tooth": "teeth", "knife": "knives", "leaf": "leaves", "wolf": "wolves", "shelf": "shelves",
    "loaf": "loaves", "calf": "calves", "sheep": "sheep", "fish": "fish", "deer": "deer",
}  # fmt: skip
# Words that join, place, count or deny: with one of them a phrase is more than a noun.
_JOINS = re.compile(
    r"\b(an?|the|and|or|of|in|on|at|to|by|with|without|no|not|any|only|some|more|less|than|that|this|these|those|which"
    r"|who|near|behind|under|over|above|below|beside|between|from|for|as|is|are|has|have|its|their|his|her|each|every"
    r"|another|other|same|both|all|most|several|many|multiple|numerous|few|fewer|single|lone|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve|dozen|zero|pair|group|least|first|second|third|left|right|front|back|top"
    r"|bottom|middle|center|background|foreground|inside|outside|around|up|down|out|off|still|now|very|clearly|there"
    r"|present|depicted|shown|visible|located|placed|positioned|strictly|directly|slightly|blank|you|it|they|he|she)\b"
    r"|[0-9]"
)


def _words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


# Nouns for the picture itself, and for what is no thing in it: "the left of the picture", "is the day grey?".
_NO_THINGS = _words(
    """
    picture image photo photograph scene view illustration frame screen style color colour day night weather time
    lighting mood atmosphere setting composition void number anything something nothing anyone someone nobody evidence
    look sense resolution quality ratio contrast focus shot angle difference error errors element elements
    content contents arrangement environment
    love hate anger fear joy grief hope peace war fight battle party problem issue trouble danger risk smile frown laugh
    grin kiss hug wave dance gesture pose action motion speed movement conversation talk speech argument debate story
    plot theme topic message meaning idea concept metaphor symbol irony humor humour joke pun reference allusion
    emotion feeling thought dream memory secret law rule crime justice truth lie beauty pride shame guilt pity trust
    doubt tension drama chaos order harmony balance rhythm pattern symmetry perspective depth blur effect cause
    reason result change increase decrease amount degree level range part side sides half rest end start beginning
    year years day days hour hours minute minutes second seconds moment past future present age era culture tradition
    event occasion ceremony celebration scenario situation state condition process phase stage step crowd team pair
    couple set series sequence row weight height size length width rain snow wind fog sunshine sunlight heat cold warmth
    sketch watercolor watercolour closeup portrait landscape rendering artwork film sound music smoking god winter
    summer autumn christmas herd swarm flock bunch pile heap
    type kind sort form way manner detail details feature features realism accuracy consistency mistake flaw
    """
)
# Words that describe, and are no colours of the palette: of size, age, look, state, shade, place, origin, making.
_DESCRIBING = _words(
    """
    small large big little tiny huge giant gigantic enormous massive miniature mini tall short long wide narrow
    thick thin fat slim deep shallow high low full half empty whole entire broken intact new old young ancient
    vintage modern retro elderly juvenile mature round circular rectangular triangular oval flat curved
    straight bent sharp blunt pointy hollow solid soft hard smooth rough fluffy furry fuzzy hairy bald shiny glossy
    matte dull bright dark pale neon vivid muted pastel clear transparent translucent opaque blurry plain simple
    complex ornate intricate realistic colorful colourful multicolored monochrome floral wooden metallic woolen
    golden color colour beige tan maroon navy teal turquoise magenta crimson scarlet indigo happy sad angry calm
    afraid proud sleepy cute beautiful pretty handsome ugly elegant fancy cool weird strange odd unusual scary evil
    good bad nice fine great perfect best better worse real fake true false wild tame stray alive dead live fresh
    rotten ripe raw hot cold warm wet dry dirty clean messy neat tidy open closed shut ajar awake asleep alone
    upright upside sideways backwards naked nude bare barefoot pregnant blind drunk sick ill strong weak heavy fast
    slow quick loud quiet silent busy rich poor cheap expensive common rare normal regular main central lower upper
    rear side inner outer distant nearby invisible hidden absent extra different similar identical distinct separate
    various french futuristic cyberpunk steampunk urban rural outdoor indoor humanoid overhead underwater airborne
    adjacent north south east west nw ne sw se blonde blond brunette skinny chubby curly wavy lush dense sparse vast
    double triple quadruple set made built hung held worn drawn seen cut torn thrown written grown blown sunk lit
    laid split spread lost kept being also just irrelevant relevant duplicate complete incomplete correct incorrect
    woven shorter taller larger smaller bigger longer wider higher
    fierce immense tense slender bizarre upset clever corrupt gentle humble noble brave bold grim stern eager keen wise
    vague rude polite cruel kind loyal lazy crazy silly stupid smart bored tired excited scared worried confused
    surprised amazed delicate fragile sturdy robust rugged crisp dim faint harsh mild brisk plump lean stout obese burly
    petite lanky frail feeble hungry thirsty festive serene tranquil peaceful hostile sinister eerie spooky creepy
    gloomy grand majestic regal royal sacred holy divine mystic mythical magical medieval baroque gothic tribal sleek
    stark bleak barren arid humid frozen melted molten burnt charred rusty dusty muddy sandy rocky stony snowy icy foggy
    misty stormy windy sunny rainy cloudy overgrown abandoned deserted crowded cluttered cozy cosy comfy steep level
    uneven vertical horizontal diagonal parallel symmetric random uniform perfect flawless defective secure safe
    unsafe dangerous deadly toxic local foreign native alien global digital virtual electric solar lunar
    terracotta impressionist soundproof oyster bespectacled
    """
)
# Words that are a thing by themselves ("a glass"), and describe before another noun ("a glass table").
_STUFF = _words(
    """
    metal plastic glass stone brick concrete leather rubber paper cardboard cotton wool silk velvet denim marble
    granite ceramic porcelain clay iron steel copper brass bronze gold silver chrome straw wicker bamboo linen lace
    wire crystal ice chocolate gingerbread lego origami cream ivory violet lavender amber olive human male female
    adult baby anthropomorphic light antique classic abstract toy wood square
    """
)
# Names of one thing, in which a word of these lists describes nothing.
_ONE_NAME = re.compile(r"\b(?:hot dog|potted plant|stuffed animal|light bulb|high chair|ice cream|orange$)")
# Ends of words that describe.
_ENDS = re.compile(
    r"\w+(ing|ed|ful|ous|ive|less|able|ible|ish|ic|al|like|y|ian|ese|est|ern|ant|ent|ate|ile|ose|some|ward|-\w+)"
)
# Ends of the last word of a phrase that is no noun ("the cat sleeping"), or names no thing ("happiness").
_DONE = re.compile(r"\w+(ing|ed|ly)")
_ABSTRACT = re.compile(r"\w+(ness|ship|hood|ity|ism|tion|sion|ance|ence|ment|dom)s?")
# Words with one of these three ends that are part of a thing's name.
_NAMING = _words(
    """
    parking dining living swimming washing vending sewing wedding shopping fishing hiking building ceiling wing king
    ring string spring evening baking cutting ironing landing filing changing steering welding training skiing
    surfing bed shed seed sled weed reed olive locomotive archive detective animal crystal hospital terminal medal
    pedal cereal journal metal signal coral canal petal music picnic traffic comic magic clinic fabric attic mosaic
    garlic fish starfish goldfish jellyfish dish radish library diary canary dictionary secretary teddy city candy
    body family party monkey donkey jersey hockey trolley toy key ruby story battery grocery pantry laundry
    century cherry berry strawberry raspberry blueberry daisy lily puppy kitty bunny butterfly fly spy sky tray clay
    bay x-ray t-shirt day play boy cowboy army navy lady fairy country galaxy cavalry jewelry pottery bakery
    artillery gallery factory delivery security safety military birthday holiday whiskey chimney valley alley abbey
    money honey trophy cemetery nursery brewery tapestry surgery dairy ferry table cable vegetable forest chest nest
    vest guest harvest lavatory observatory laboratory assembly display highway railway runway subway gateway
    doorway hallway pathway archway stairway driveway holly ivy poppy peony pony lantern pattern fern tern cheese
    lorry buggy volley
    ship ships station stations television televisions lotion potion fence fences ambulance ambulances monument
    monuments instrument instruments apartment apartments ornament ornaments garment garments pavement equipment
    appliance appliances mansion mansions entrance entrances constellation plantation vegetation decoration decorations
    kingdom tournament compartment battlement battlements reflection explosion intersection spaceship spaceships
    warship warships airship airships basement ointment parchment cement university universities cities city document
    elephant elephants restaurant restaurants plant plants giant pant tent tents plate gate pirate skate chocolate
    crate slate president student infant rose hose nose tile crocodile automobile missile mobile projectile
    """
)


def plural(noun: str) -> str:
    """The plural of a noun, by rule; a wrong one only makes a question odd.

    >>> plural("red fox"), plural("woman"), plural("cherry")
    ('red foxes', 'women', 'cherries')
    """
    before, _, last = noun.rpartition(" ")
    if last not in _IRREGULAR:
        by_y = last.endswith("y") and last[-2:-1] not in "aeiou"
        ended = f"{last[:-1]}ies" if by_y else last + ("es" if last.endswith(("s", "x", "ch", "sh", "z")) else "s")
    else:
        ended = _IRREGULAR[last]
    return f"{before} {ended}".strip()


def is_noun(phrase: str) -> bool:
    """True for a thing's noun, of at most three words, with nothing before it that describes it but colours.

    >>> is_noun("red fire hydrant"), is_noun("angry person"), is_noun("small wooden table")
    (True, False, False)
    """
    words = [word.removesuffix("'s") for word in _ONE_NAME.sub("item", phrase).split()]
    named = [word for word in words if word not in COLOURS]
    if not 1 <= len(named) <= 3 or words[-1] in COLOURS or _JOINS.search(phrase):
        return False
    *before, last = named
    if last in _NO_THINGS | WRITING or any(word in _DESCRIBING for word in named) or _STUFF.intersection(before):
        return False
    ends = [word for word in before if _ENDS.fullmatch(word)]
    if (before and _DONE.fullmatch(last)) or _ABSTRACT.fullmatch(last):
        ends.append(last)
    return _NAMING.issuperset(ends)


def is_many(phrase: str) -> bool:
    """True for a noun in the plural, as far as its end tells."""
    last = phrase.split()[-1]
    ends = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return ends or last in set(_IRREGULAR.values()) - {"sheep", "fish", "deer"}
