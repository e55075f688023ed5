"""Refusals of every command: one line on standard error that names what is wrong, exit code 2, nothing written."""

import shlex
from pathlib import Path

import pytest
from commands import fails

AT = "--base-url http://localhost/v1"
DEAR = f"{AT} --max-cost 1"
UNPRICED = "--max-cost 1: what 'm' at http://localhost/v1 costs is not known; give it with --price"
WRITER = "--author 'openai:m?base_url=http://localhost/v1' --out a.jsonl"
# By command: the words after it, and what is said of them.
REFUSED: dict[str, list[tuple[str, str]]] = {
    "probe": [
        ("nosuch --judge pixels", "unknown suite 'nosuch'; choose from: certify, controls, counterbench-550, ladder"),
        ("smoke --judge pixel", "(did you mean 'pixels'?); choose from: FILE.toml, inspect:PROVIDER"),
        ("smoke --judge mine.toml", "mine.toml: cannot be read (No such file or directory)"),
        ("smoke --judge replay:nowhere", "nowhere: there is no such run folder"),
        ("smoke --judge pixels --template warm", "unknown template 'warm'; choose from: answer-line, bare"),
        ("smoke --judge pixels --template default,default", "have the same words or the same name"),
        ("smoke --judge pixels --style blured", "did you mean 'blurred'?); choose from: blurred, "),
        ("smoke --judge pixels --limit 0", "--limit must be at least 1, not 0"),
        ("smoke --judge pixels --repeats 0", "--repeats must be at least 1, not 0"),
        ("smoke --judge pixels --max-calls 0", "--max-calls must be more than 0, not 0"),
        ("smoke --judge pixels --concurrency 0", "--concurrency must be more than 0"),
        ("smoke --judge pixels --seed -1", "--seed must be from 0 to"),
        ("smoke --judge pixels --rpm 0", "--rpm must be more than 0, not 0"),
        ("smoke --judge pixels --max-cost nan", "--max-cost must be more than 0, not nan"),
        ("smoke --judge pixels --key-env HOME", "are for openai: and inspect: judges, not for 'pixels'"),
        ("smoke --judge openai:m", "OPENAI_API_KEY is not set; export it, or give --base-url"),
        ("smoke --judge openai:m --base-url localhost:8000", "base URL 'localhost:8000' is no address"),
        (f"smoke --judge openai:m {DEAR}", UNPRICED),
        (f"smoke --judge openai:m {AT} --key-env NOT_SET_HERE", "is set"),
        (f"smoke --judge 'openai:m?sed=1' {AT}", "unknown option 'sed' (did you mean 'seed'?"),
        (f"smoke --judge 'openai:m?temperature=9' {AT}", "option 'temperature': expected"),
    ],
    "doctor": [(f"--judge pixels {AT}", "for openai: and inspect: judges, not for 'pixels'")],
    "export": [
        ("smoke --format hv --out out", "unknown export format 'hv'"),
        ("x --format every-eval-ever --out out --limit 3", "are for pairs, and every-eval-ever takes a run"),
        ("smoke --format every-eval-ever --out out", "smoke: there is no such run folder"),
    ],
    "generate": [
        ("smok --out x", "did you mean 'smoke'"),
        ("smoke --out x --workers 0", "--workers"),
        ("smoke --out x --seed -1", "--seed"),
        ("--families spatail", "unknown family 'spatail' (did you mean 'spatial'?); choose from: arrow, attribute, "),
        ("--families spatial,arrow --count 1", "a pair of each"),
        ("smoke --families spatial", "either a SUITE, or --families"),
        ("smoke --count 3", "--count needs --families"),
    ],
    "verify": [
        ("smok --json", "did you mean 'smoke'"),
        (".", "not a suite folder"),
        ("smoke --run run", "--run is for a certificate, a file that ends in .json; 'smoke' is none"),
        ("none.json", "none.json: cannot be read"),
        ("c.json --limit 3", "--limit is for suites and folders"),
    ],
    "gallery": [("smoke --out x.jpg", ".png"), ("smoke --law falling --out x.png", "is for a suite of laws")],
    "validate": [
        ("pixels --for nothing", "unknown prompt set or suite 'nothing'; choose from: attributes, certify, "),
        ("pixels --for laws-fwe", "(did you mean 'laws-few'?)"),
        ("pixels --for ./nothing/", "there is no such folder"),
        (f"openai:m --for smoke {DEAR}", UNPRICED),
    ],
    "swap": [
        ("runs/gone planted:oracle", "runs/gone: no run lies there, and no judge"),
        ("planted:oracle planted:oracle --for controls", "controls: it has no pair whose answer must change"),
        ("planted:oracle planted:oracle --delta 5", "0.05 is 5 points"),
    ],
    "list": [("suits", "unknown list 'suits' (did you mean 'suites'?); choose from: exports, families, ")],
    "import": [
        ("counterbanch x --out out", "unknown import format 'counterbanch' (did you mean 'counterbench'?)"),
        ("counterbench . --out out", "not a CounterBench release, it has no data/benchmark.json"),
        ("cf-world . --out out", "not a CF-World release"),
    ],
    "score": [
        ("nowhere --json", "nowhere: there is no such run folder"),
        (".", "not a run, it has no run.json"),
        ("nowhere --layout wide --format csv", "--layout wide is of tables, and csv has every number of every run"),
        ("nowhere --layout wide --json", "--layout wide is of tables, and json has every number of every run"),
    ],
    "diagnose": [("nowhere", "nowhere: there is no such run folder")],
    "certify": [
        ("nowhere --json", "nowhere: there is no such run folder"),
        ("nowhere --policy strikt", "unknown policy 'strikt' (did you mean 'strict'?); choose from: exploratory,"),
        ("nowhere --out c.txt", "a certificate's file ends in .json"),
    ],
    "label": [("run --export a.csv --import b.csv", "give only one of"), (". --plan", "not a run")],
    "report": [("nowhere --out a.html", "nowhere: there is no such run folder")],
    "t2i generate": [
        ("laws --generator opneai:m --out out", "unknown generator 'opneai:m'"),
        ("laws --generator planted:prior --base-url http://x --out out", "are for openai: generators"),
        ("laws --generator planted:prior --samples 0 --out out", "--samples must be from 1 to 1000, not 0"),
        ("laws --generator planted:prior --seed -1 --out out", "--seed must be from 0 to 2**63 - 1, not -1"),
        ("laws --generator planted:prior --limit 0 --out out", "--limit must be at least 1, not 0"),
        ("laws --generator planted:prior --max-calls 0 --out out", "must be more than 0, not 0"),
        ("lwas --generator planted:prior --out out", "did you mean 'laws"),
        (f"laws --generator openai:m {DEAR} --out out", UNPRICED),
    ],
    "t2i prepare": [
        ("laws --protocol cf-eval --author planted:oracle --out a.jsonl", "this judge cannot write questions"),
        (f"laws {WRITER} --protocol direct", "checks that prompts have; an author writes for: cf-eval, checklist, "),
        (f"laws {WRITER} --max-cost 1", UNPRICED),
        (f"laws {WRITER} --protocol cf-evil", "unknown protocol 'cf-evil'"),
    ],
}


@pytest.mark.parametrize(
    ("words", "reason"), [(f"{command} {words}", why) for command, rows in REFUSED.items() for words, why in rows]
)
def test_each_bad_command_is_refused_in_one_line_and_writes_nothing(words: str, reason: str, here: Path) -> None:
    message = fails(*shlex.split(words))
    assert reason in message
    assert "\n" not in message
    assert list(here.iterdir()) == []
