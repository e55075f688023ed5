"""Certificates that were changed by somebody who can compute digests: what does not follow is named."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from certificate.forged import signed
from planted_runs import write_cells_run

from counterbench.certificate import Certificate, certify, problems, read_certificate
from counterbench.certificate.cells import threshold
from counterbench.certificate.document import CellResult, LawResult
from counterbench.certificate.policies import load_policy
from counterbench.errors import FormatError
from counterbench.scoring.scores import Share, share
from counterbench.t2i.judging.gate import barred, openings


@pytest.fixture(scope="module")
def laws() -> Certificate:
    """Of a judge that is right on all of `falling`, and was asked 12 pairs of each cell: not enough for `standard`."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_cells_run(Path(folder) / "run", "planted:oracle", ("falling",), each=12)
        return certify(path, load_policy())


CELL = "falling/assessment"


def of_cell(found: Certificate, **changes: Any) -> dict[str, CellResult]:
    return found.cells | {CELL: msgspec.structs.replace(found.cells[CELL], **changes)}


def of_law(found: Certificate, **changes: Any) -> dict[str, LawResult]:
    return {"falling": msgspec.structs.replace(found.laws["falling"], **changes)}


Forged = Callable[[Certificate], dict[str, Any]]
FORGED: dict[str, tuple[Forged, str]] = {
    "a cell's verdict": (
        lambda c: {"cells": of_cell(c, verdict="pass")},
        f"cells: '{CELL}' is said to be 'pass'; its counts show 'not-enough-evidence'",
    ),
    "its evidence": (
        lambda c: {"cells": of_cell(c, evidence=99.0)},
        f"cells: '{CELL}' has other numbers than follow from its counts",
    ),
    "the evidence against it": (lambda c: {"cells": of_cell(c, against=0.5)}, f"cells: '{CELL}' has other numbers"),
    "its counts": (lambda c: {"cells": of_cell(c, ccs=share(40, 40))}, f"cells: '{CELL}' is said to be 'not-enough-"),
    "its interval": (
        lambda c: {"cells": of_cell(c, ccs=msgspec.structs.replace(c.cells[CELL].ccs, low=0.9))},
        f"cells: '{CELL}' has other numbers",
    ),
    "more right than asked": (
        lambda c: {"cells": of_cell(c, ccs=msgspec.structs.replace(c.cells[CELL].ccs, hits=40))},
        f"cells: '{CELL}': no judge is right on 40 of 12 pairs",
    ),
    "counts below 0": (
        lambda c: {"control": msgspec.structs.replace(c.control, accuracy=Share(1, 1, 1, -1, -1))},
        "control: no judge is right on -1 of -1 pairs",
    ),
    "huge counts": (
        lambda c: {"cells": of_cell(c, ccs=Share(1.0, 1.0, 1.0, 10**400, 10**400))},
        f"cells: '{CELL}': no judge is right on 1000",
    ),
    "a law's verdict": (lambda c: {"laws": of_law(c, verdict="pass", decided_by="")}, "laws: what it says of them"),
    "a law's evidence": (lambda c: {"laws": of_law(c, adjusted=1e9)}, "laws: what it says of them does not follow"),
    "a law's cells": (lambda c: {"laws": of_law(c, cells=[CELL])}, "laws: what it says of them does not follow"),
    "a law left out": (lambda c: {"laws": {}}, "laws: what it says of them does not follow"),
    "the laws admitted": (lambda c: {"admitted": ["falling"]}, "admitted: the laws that it names are not those"),
    "the verdict": (lambda c: {"verdict": "pass"}, "verdict: 'pass' does not follow from the rest"),
    "the controls": (
        lambda c: {"control": msgspec.structs.replace(c.control, verdict="pass")},
        "control: it is said to be 'pass'; its counts show 'not-enough-evidence'",
    ),
    "a condition": (
        lambda c: {"run": c.run | {"failed": msgspec.structs.replace(c.run["failed"], verdict="fail")}},
        "run: what it says of the whole does not follow",
    ),
    "a condition left out": (
        lambda c: {"run": {name: c.run[name] for name in ("cells", "failed")}},
        "run: what it says of the whole does not follow",
    ),
    "outcomes": (
        lambda c: {"control": msgspec.structs.replace(c.control, outcomes=c.control.outcomes | {"refused": 50})},
        "run: what it says of the whole does not follow",
    ),
    "no cells": (lambda c: {"cells": {}, "laws": {}, "admitted": []}, "cells: it names none"),
    "a cell renamed": (
        lambda c: {"cells": {"gravity/assessment" if n == CELL else n: of for n, of in c.cells.items()}},
        "cells: suite 'laws' has no cell 'gravity/assessment'",
    ),
    "cells pooled": (lambda c: {"cells": {"laws/yes-no": c.cells[CELL]}}, "cells: suite 'laws' has no cell"),
    "another threshold": (
        lambda c: {"threshold": 2.0},
        "threshold: it is 2, attempt 1 under policy 'standard' asks for 32.8987",
    ),
    "an alpha of one's own": (
        lambda c: {"policy": msgspec.structs.replace(c.policy, name="mine", alpha=0.5)},
        "threshold: it is 32.8987, attempt 1 under policy 'mine' asks for 3.28987",
    ),
    "another attempt": (lambda c: {"attempt": 2}, "threshold: it is 32.8987, attempt 2"),
    "another attempt's seed": (
        lambda c: {"attempt": 2, "threshold": threshold(c.policy, 2)},
        "seed: it is 20261, the pairs of attempt 2 at 'laws' are of ",
    ),
    "a seed of one's own": (lambda c: {"seed": 9}, "seed: it is 9, the pairs of attempt 1 at 'laws' are of 20261"),
    "attempt 0": (lambda c: {"attempt": 0}, "attempt: it is 0, they count from 1 to 1000"),
    "an attempt that none can pass": (lambda c: {"attempt": 10**300}, "attempt: it is 1000"),
    "a suite of one's own": (lambda c: {"suite": "mine"}, "suite: 'mine' is none that this version ships"),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_does_not_follow_is_named_and_opens_nothing(laws: Certificate, what: str) -> None:
    changes, words = FORGED[what]
    forged = signed(laws, **changes(laws))
    found = problems(forged)
    assert any(problem.startswith(words) for problem in found), found
    assert f"the certificate does not hold together: {found[0]}" in barred(forged)
    assert not any(laws for laws, _ in openings(forged).values())


@pytest.mark.parametrize("number", ["NaN", "1e999", "-1e999", '"12"', "1" + 5000 * "0"])
@pytest.mark.parametrize("field", ["hits", "evidence"])
def test_what_is_no_number_is_named_with_its_place(laws: Certificate, tmp_path: Path, field: str, number: str) -> None:
    plain = msgspec.to_builtins(laws)
    within = plain["cells"][CELL]
    (within["ccs"] if field == "hits" else within)[field] = "HERE"
    (tmp_path / "c.json").write_text(json.dumps(plain).replace('"HERE"', number))
    with pytest.raises(FormatError, match=r"c\.json: "):
        read_certificate(tmp_path / "c.json")
