"""Cards: what is on one, what is null, what is never on one, and which runs may stand together."""

import json
import shutil
from xml.etree import ElementTree

import msgspec
import pytest
from browsing import browser, opened, sound
from commands import done, fails
from planted_runs import edit_info, read_journal, rewrite, write_run
from sweeping import swept

import counterbench as cb
from counterbench.evidence.ladders import RESULT_FILE
from counterbench.files import formats
from counterbench.pages.cards import CardDocument, derive, schema
from counterbench.pages.cards.card_page import card_page
from counterbench.pages.cards.checks import load_checked
from counterbench.pages.cards.derive import _steadiness
from counterbench.pages.cards.hiding import model_shown
from counterbench.pages.cards.limits import not_for
from counterbench.runs.folder import read_keys
from counterbench.suites.families.ladders import LADDERS
from counterbench.suites.suite import load_suite


def test_a_card_holds_what_its_run_shows(kept, tmp_path):
    printed = done("card", kept / "ladder", "--out", tmp_path)
    card = formats.read_json(tmp_path / "card.json", CardDocument)
    assert card.who.kind == "planted"
    assert card.who.local
    assert card.ladders is not None
    assert card.ladders.keys() <= LADDERS.keys()
    assert card.ladders["count"].granted is None
    assert "offsets down to 2" in printed
    assert card.rates is not None
    assert (card.rates.usd or 0) > 0.5  # of right answers alone, so above the price of all
    assert (card.sees, card.flips, card.steadiness, card.cells, card.prior_strength) == (None,) * 5
    assert card.not_for[0].startswith("any picture")
    assert card.badge[-1] == "planted"
    page = (tmp_path / "index.html").read_text()
    assert "Not measured in these runs: skills" in page
    assert page.count("stops</span>") == sum(ladder.next is not None for ladder in card.ladders.values())
    assert json.loads((tmp_path / "card.schema.json").read_text()) == json.loads(msgspec.json.encode(schema()))
    ElementTree.fromstring((tmp_path / "badge.svg").read_text())
    done("card", kept / "ladder", "--out", tmp_path)  # the folder is its own


def test_runs_of_one_judge_make_one_card(kept):
    card = derive([kept / "certify"])
    assert {skill.verdict for skill in card.sees or ()} <= {"fail", "not-enough-evidence"}
    assert [fault.name for fault in card.faults or ()] == ["sticky"]
    assert card.steadiness is not None
    assert (card.steadiness.verdict, card.steadiness.looks) == ("unchanged", 1)
    assert [run.command for run in card.runs] == [
        "counterbench probe certify --judge 'planted:sticky?price=2' --template structured --limit 96"
    ]
    shown = cb.card(kept / "certify")
    assert msgspec.structs.asdict(shown) == msgspec.structs.asdict(card)
    assert shown._repr_html_().startswith("<iframe")


@pytest.mark.slow
def test_the_prior_strength_is_on_card_json_and_badge(tmp_path):
    done("probe", "priors", "--judge", "planted:prior-bound?price=1", "--limit", 60, "--out", tmp_path / "run")
    printed = done("card", tmp_path / "run", "--out", tmp_path / "card")
    card = formats.read_json(tmp_path / "card" / "card.json", CardDocument)
    assert card.prior_strength is not None
    followed = card.prior_strength
    assert followed.hits > 40
    words = f"prior {100 * followed.hits / followed.of:.0f} %"
    assert words in card.badge
    assert words in printed
    assert words in (tmp_path / "card" / "badge.svg").read_text()
    page = (tmp_path / "card" / "index.html").read_text()
    assert f"for the usual one in {followed.hits} of {followed.of} pairs" in page
    # A skill whose families of `certify` are not in this suite is not shown by that.
    assert {skill.name: (skill.admitted, skill.verdict) for skill in card.sees or ()}["count"] == (False, "fail")
    right = [record.reply == key.expected for record, key in _replies(tmp_path / "run")]
    assert card.rates is not None
    assert card.rates.usd == round(len(right) / sum(right), 6)  # $0.001 a reply


def _replies(run):
    known = {key.id: key for key in read_keys(run)}
    return [(record, known[record.id]) for record in read_journal(run)]


def test_a_run_without_a_change_does_not_hide_the_change_of_another(kept, tmp_path):
    other = write_run(tmp_path / "run", "planted:sticky?price=2", "priors", 12)
    runs = [load_checked(kept / "certify"), load_checked(other)]
    watch = runs[0].watch
    assert watch is not None
    runs[1] = msgspec.structs.replace(runs[1], watch=msgspec.structs.replace(watch, verdict="changed", what="judge"))
    steadiness = _steadiness(runs)
    assert steadiness is not None
    assert steadiness.verdict == "changed"


def test_runs_that_cannot_share_a_card_are_named(kept, tmp_path):
    message = fails("card", kept / "ladder", kept / "certify", "--out", tmp_path / "card")
    assert str(kept / "ladder") in message
    assert str(kept / "certify") in message
    assert "they differ in judge: " in message
    shutil.copytree(kept / "ladder", tmp_path / "twin")
    assert "same pairs" in fails("card", kept / "ladder", tmp_path / "twin", "--out", tmp_path / "card")
    first, second = (write_run(tmp_path / str(limit), "planted:oracle", "certify", limit) for limit in (32, 48))
    assert "same pairs or suite" in fails("card", first, second, "--out", tmp_path / "card")


def test_runs_about_pictures_of_models_are_refused(kept, tmp_path):
    shutil.copytree(kept / "ladder", tmp_path / "run")
    (tmp_path / "run" / "t2i.json").write_text("{}")
    assert "a run about generated pictures" in fails("card", tmp_path / "run", "--out", tmp_path / "card")


@swept("name", ["ft:gpt-4o:acme::1", "/srv/m", "C:\\m", "a/b/c", "me@host.example", "10.0.0.7:8000/m"])
def test_private_model_names_are_not_shown(name):
    assert model_shown(name) == "(not shown)"


def test_a_folder_of_something_else_is_kept(kept, tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    assert "is not empty and not a card" in fails("card", kept / "ladder", "--out", tmp_path)


SECRETS = ("acme-x", "wombat-y", "quokka.example", "Lady Ada", "numbat")


def test_a_card_shows_no_private_path_name_or_address(tmp_path):
    home = tmp_path / "acme-x"
    home.mkdir()
    suite = home / "wombat-y.toml"
    words = 'format = "counterbench.suite/1"\nname = "wombat-y"\nseed = 3\n[[family]]\nname = "spatial"\ncount = 30\n'
    suite.write_text(words)
    source = load_suite(str(suite))
    pairs = home / "pairs"
    done("generate", suite, "--out", pairs)
    run = home / "run"
    done("probe", pairs, "--judge", "planted:sticky", "--out", run)
    edit_info(run, judge="openai:/srv/numbat/model?base_url=https://quokka.example/v1", name="/srv/numbat")
    rewrite(run, [msgspec.structs.replace(r, model="/srv/numbat/model") for r in read_journal(run)])
    (run / "labels.jsonl").write_text("Lady Ada")
    out = tmp_path / "out"
    printed = done("card", run, "--out", out)
    texts = [path.read_text() for path in out.iterdir()] + [done("card", run, "--out", out, "--json")]
    texts += [printed.replace(str(out), ""), cb.card(run)._repr_html_()]
    for text in texts:
        assert not [secret for secret in SECRETS if secret in text]
    card = derive([run])
    assert card.who.judge == "openai:(not shown)"
    assert card.runs[0].suite == "a suite of its user's own"
    assert card.runs[0].truth_checked is False
    assert [cell.name for cell in card.cells or ()] == ["all"]
    assert derive([run], include_pictures=True).runs[0].suite == source.name


def test_a_card_with_pictures_shows_the_missed_pairs(kept, tmp_path):
    done("card", kept / "certify", "--out", tmp_path, "--include-pictures")
    page = (tmp_path / "index.html").read_text()
    assert "Pairs that the judge got wrong" in page
    assert "data:image/png" in page


def test_imported_replies_are_marked(tmp_path):
    run = write_run(tmp_path / "run", "planted:oracle", "certify", 32)
    edit_info(run, source="replies.csv (0123)", judge="gpt-somewhere")
    card = derive([run])
    assert (card.who.kind, card.who.local) == ("imported", None)
    assert "imported" in card.badge
    assert "collected elsewhere" in "\n".join(card.not_for)
    assert "replies.csv" not in card_page(card)


def test_a_cards_limits_follow_from_its_runs(kept):
    card = derive([kept / "ladder"])
    real = msgspec.structs.replace(card, who=msgspec.structs.replace(card.who, kind="model", asked_from="2026-01-01"))
    lines = [*not_for(real, 180)]
    assert any(line.startswith("real pictures") for line in lines), lines
    assert "ladder count: not shown even for its first rung" in "\n".join(lines)
    assert lines[-1].startswith("scoring after 2026-06-30")


def test_the_report_shows_ladders(kept, tmp_path):
    done("report", kept / "ladder", "--out", tmp_path / "report.html", "--pictures", "none")
    assert '<figure class="ladder">' in (tmp_path / "report.html").read_text()
    shutil.copytree(kept / "certify", tmp_path / "run")
    shutil.copy(kept / "ladder" / RESULT_FILE, tmp_path / "run")
    done("report", tmp_path / "run", "--out", tmp_path / "report.html", "--pictures", "none")
    page = (tmp_path / "report.html").read_text()
    assert '<figure class="ladder">' not in page
    assert "its ladders are of another judge" in page


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_cards_and_site_are_sound_in_a_browser(kept, tmp_path, scheme, width):
    for name in ("ladder", "certify"):
        done("card", kept / name, "--out", tmp_path / name)
    done("site", tmp_path / "ladder", tmp_path / "certify", "--out", tmp_path / "site")
    pages = sorted((tmp_path / "site").rglob("index.html"))
    assert len(pages) == 3
    with browser() as chromium:
        for path in pages:
            with opened(chromium, path, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
                sound(page, width)
