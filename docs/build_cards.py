"""Builds the board of examples: python docs/build_cards.py --out cards [--release CounterBench] [--words].

Planted judges with made-up prices, one for each fault and some that count up to different numbers; the pixel reader;
with --release, the replies of the four judges that CounterBench published; with --words, an OCR model
(`word_reader.py`, which needs rapidocr-onnxruntime). The same command again resumes. cards/site is the board.
"""

import argparse
import sys
from pathlib import Path

import counterbench as cb
from counterbench.api import run_asking
from counterbench.evidence.validation import Validation
from counterbench.pages.cards.site import write_site

sys.path.insert(0, str(Path(__file__).parent))

# Prices in US dollars for a thousand replies: made up, as all about these judges.
CLIMBERS = {
    "planted:oracle?price=9": "no fault",
    "planted:threshold?dial=count&at=6&slope=2&price=0.2": "counts little, cheap",
    "planted:threshold?dial=count&at=13&slope=2&price=0.7": "counts enough, cheap",
    "planted:threshold?dial=count&at=26&slope=1&price=4": "counts much, dear",
}
FAULTS = {
    "sticky": 0.5, "blind": 0.3, "yes-bias": 0.4, "no-bias": 0.4, "agreeable": 0.6, "off-by-one": 0.9, "random": 0.05,
    "arrow-blind": 1.5, "colour-confusion": 0.8, "text-led": 2, "left-right": 1.1, "unparsed": 0.7, "refusing": 3,
}  # fmt: skip


def runs_of(judge: object, folder: Path, *suites: str, name: str = "") -> list[Path]:
    """The runs of a judge on these suites, each asked until it is decided; no doctor turns a judge away first."""
    for suite in suites:
        validation = Validation(judge, suite, out=folder / suite, name=name)
        run_asking(validation.asking(), None)
        validation.climbed()
    return [folder / suite for suite in suites if (folder / suite / "run.json").is_file()]


def main() -> None:
    """Ask, and build."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--release", type=Path, help="the folder CounterBench of the paper's release")
    options.add_argument("--words", action="store_true", help="also the OCR model")
    given = options.parse_args()
    runs = []
    for number, (judge, name) in enumerate(CLIMBERS.items()):
        runs += runs_of(judge, given.out / f"climber-{number}", "ladder", name=name)
    for fault, price in FAULTS.items():
        run = given.out / fault
        cb.probe("certify", f"planted:{fault}?price={price:g}", out=run, limit=400)
        runs.append(run)
    runs += runs_of("pixels", given.out / "pixels", "ladder", "certify")
    if given.words:
        from word_reader import WordReader

        runs += runs_of(WordReader(), given.out / "words", "ladder", name="OCR (RapidOCR)")
    if given.release is not None:
        from counterbench.interop.counterbench_release import import_release

        released = given.out / "released"
        if not released.exists():
            import_release(given.release, released)
        runs += sorted((released / "runs").iterdir())
    made = write_site(runs, given.out / "site")
    for run, why in made.refused.items():
        print(f"left out: {run}: {why}")
    print(made.page)


if __name__ == "__main__":
    main()
