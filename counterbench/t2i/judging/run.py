"""A run of a judge over a generator's pictures: what it keeps beside keys and journal, so that scoring needs no more.

t2i.json            whose pictures of which prompts, and by which protocol they are judged
prompts.jsonl       the prompts that were drawn, with the checks that were asked
samples.jsonl       what became of each sample (the manifest's lines)
certificate.json    the judge's certificate, if one was given
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from counterbench.asking.asker import Limits
from counterbench.asking.probe import ask
from counterbench.asking.runner import Progress
from counterbench.certificate import Certificate, read_certificate
from counterbench.drawing.domain import Domain
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.addresses import shown
from counterbench.files.kinds import instead
from counterbench.judges.base import Judge
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, T2I_FILE
from counterbench.runs.wordings import Wording
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.prompts.from_laws import genuine
from counterbench.t2i.prompts.lines import read_prompt_set, set_lines, write_prompt_set
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.protocols import protocol
from counterbench.t2i.protocols.base import Protocol

if TYPE_CHECKING:
    from counterbench.t2i.judging.reuse import Reuse

T2I_FORMAT: Literal["counterbench.t2i/2"] = "counterbench.t2i/2"
PROMPTS_FILE, SAMPLES_FILE, CERTIFICATE_FILE = "prompts.jsonl", "samples.jsonl", "certificate.json"


class T2IInfo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `t2i.json` says. `samples`: of each prompt; `seed`: the generation's, `prompts_seed`: of the laws' settings.

    `kept_digest` is over the prompts and samples that the run keeps. `replies_digest` is over its keys and journal when
    asking ended, and over all that stands here; empty while it is being asked, and of runs of an earlier version.
    `uncertified`: the run was begun without passing the gate, on demand. `prompt_shown`: the judge saw the prompts.
    `domain`: what the pictures are like; None in runs of an earlier version. `negated`: the share of yes/no checks that
    were also asked in a frame that denies them.
    """

    format: Literal["counterbench.t2i/1", "counterbench.t2i/2"] = T2I_FORMAT
    generator: str
    prompts: str
    prompts_digest: str
    prompts_seed: int | None
    levels: tuple[str, ...]
    style: str
    samples: int
    seed: int
    images: str
    images_digest: str
    kept_digest: str
    replies_digest: str = ""
    protocol: str
    prompt_shown: bool
    uncertified: bool
    domain: Domain | None = None
    protocol_version: int = 1
    negated: float = 0.0


class T2IRun(msgspec.Struct, frozen=True):
    """What a run keeps of the pictures that it is about."""

    path: Path
    info: T2IInfo
    prompts: PromptSet
    protocol: Protocol
    samples: tuple[ImageRow, ...]
    certificate: Certificate | None


def judge_pictures(
    questions: PictureQuestions,
    judge: Judge,
    out: Path,
    *,
    wording: Wording,
    certificate: Certificate | None,
    uncertified: bool,
    votes: int = 1,
    limits: Limits | None = None,
    canaries: int = 0,
    name: str = "",
    reuse: Reuse | None = None,
    on_checked: Callable[[int, int], None] = lambda done, total: None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Ask `judge` what a protocol asks of every picture, into the run in `out`; the same call again resumes.

    `reuse`: the replies of another run that are taken over. Whether the judge may is the caller's to ask
    (`gate.entry`). Raises what `asking.probe.ask` does.
    """
    questions.follow(out)
    images, prompts, protocol = questions.images, questions.drawn, questions.protocol
    info = T2IInfo(
        generator=images.info.label,
        prompts=prompts.name,
        prompts_digest=prompts.digest,
        prompts_seed=prompts.seed,
        levels=prompts.levels,
        style=prompts.prompts[0].style,
        samples=images.info.samples,
        seed=images.info.seed,
        images=shown(images.path),
        images_digest=questions.drawn_digest,
        kept_digest=kept_digest(map(formats.encode, set_lines(prompts)), map(formats.encode, questions.samples)),
        protocol=protocol.name,
        protocol_version=protocol.version,
        negated=questions.negated,
        prompt_shown=wording.shows_prompt,
        uncertified=uncertified,
        domain=questions.domain,
    )

    @contextlib.contextmanager
    def beside(path: Path) -> Iterator[None]:
        write_prompt_set(path / PROMPTS_FILE, prompts)
        formats.write_lines(path / SAMPLES_FILE, questions.samples)
        if certificate is not None:
            formats.write_json(path / CERTIFICATE_FILE, certificate)
        else:
            (path / CERTIFICATE_FILE).unlink(missing_ok=True)  # of an earlier call, which was shown one
        formats.write_json(path / T2I_FILE, info)
        if reuse is not None:
            reuse.write(path)
        try:
            yield
        finally:
            formats.write_json(
                path / T2I_FILE, msgspec.structs.replace(info, replies_digest=replies_digest(path, info))
            )

    return ask(
        questions,
        judge,
        out,
        wording=wording,
        votes=votes,
        limits=limits,
        canaries=canaries,
        name=name,
        growing=questions,
        begin=_unseal,
        beside=beside,
        on_checked=on_checked,
        on_progress=on_progress,
    )


def replies_digest(path: Path, info: T2IInfo) -> str:
    """A hex digest of what the run in `path` was asked and what came back: `info`, its keys and its journal.

    It notices accidents: whoever edits replies on purpose can write a new digest too.
    """
    # No journal: the judge could not be asked at all.
    files = [formats.file_digest(path / name) for name in (KEYS_FILE, JOURNAL_FILE) if (path / name).is_file()]
    derived = {"replies_digest": "", "uncertified": False}  # derived anew, and no part of it
    said = msgspec.structs.asdict(info) | derived
    if info.domain is None:
        del said["domain"]  # as an earlier version signed it
    if info.format != T2I_FORMAT:
        del said["protocol_version"], said["negated"]
    return hashlib.blake2b(msgspec.json.encode((said, files)), digest_size=16).hexdigest()


def _unseal(path: Path) -> None:
    """Take the digest off what the run in `path` has so far; InputError if that was changed since it was last asked.

    Replies that are there may lead to further questions, whose keys are the first thing that is written.
    """
    if (path / T2I_FILE).is_file():
        sealed = refuse_edited(path)
        formats.write_json(path / T2I_FILE, msgspec.structs.replace(sealed, replies_digest=""))


def refuse_edited(path: Path) -> T2IInfo:
    """What `t2i.json` of the run in `path` says; InputError if the run was changed since its judge was asked."""
    sealed = formats.read_json(path / T2I_FILE, T2IInfo)
    if sealed.replies_digest not in ("", replies_digest(path, sealed)):
        raise InputError(
            f"{path}: {T2I_FILE}, {KEYS_FILE} or {JOURNAL_FILE} was changed since the judge was asked; put back what "
            "was there, or judge into another --out"
        )
    return sealed


def kept_digest(prompts: Iterable[bytes], samples: Iterable[bytes]) -> str:
    """A hex digest of what a run keeps of prompts, checks and samples: the lines of its files."""
    kept = b"[[" + b",".join(prompts) + b"],[" + b",".join(samples) + b"]]"
    return hashlib.blake2b(kept, digest_size=16).hexdigest()


def read_t2i_run(path: Path) -> T2IRun:
    """What the run in `path` keeps of its pictures; InputError if it is no such run, or is damaged."""
    if not path.exists():
        raise InputError(f"{path}: there is no such run folder")
    if not (path / T2I_FILE).is_file():
        raise InputError(f"{path}: not a run about generated pictures, it has no {T2I_FILE}{instead(path)}")
    info = formats.read_json(path / T2I_FILE, T2IInfo)
    judged_by = protocol(info.protocol)
    if judged_by.version != info.protocol_version:
        raise InputError(
            f"{path}: judged by {info.protocol} {info.protocol_version}, and this version has {judged_by.version}; the "
            "same `t2i judge` asks by that, into a run of its own"
        )
    file = path / CERTIFICATE_FILE
    run = T2IRun(
        path,
        info,
        _prompts(path / PROMPTS_FILE, info),
        judged_by,
        tuple(formats.read_lines(path / SAMPLES_FILE, ImageRow)),
        read_certificate(file) if file.is_file() else None,
    )
    prompts = _lines(path / PROMPTS_FILE)
    if info.format != T2I_FORMAT:
        prompts = map(_as_before, prompts)
    if kept_digest(prompts, _lines(path / SAMPLES_FILE)) != info.kept_digest:
        raise InputError(
            f"{path}: {PROMPTS_FILE} or {SAMPLES_FILE} is not as it was when the pictures were judged; the same "
            "`t2i judge` again writes both anew, and asks only what has no reply"
        )
    for row in run.samples:
        if f"{row.group}/{row.level}" not in run.prompts.by_id:
            raise InputError(f"{path / SAMPLES_FILE}: {row.id!r} is a sample of no prompt in {PROMPTS_FILE}")
    return run


def _prompts(path: Path, info: T2IInfo) -> PromptSet:
    """The prompts of a run; an earlier version kept them without a first line that says what the set is."""
    if info.format == T2I_FORMAT:
        return read_prompt_set(path)
    return genuine(PromptSet(info.prompts, info.levels, list(formats.read_lines(path, Prompt)), info.prompts_seed))


def _as_before(line: bytes) -> bytes:
    """A prompt's line as the version before had it in its digest: with its weights as they are read back."""
    prompt = msgspec.json.decode(line)
    for check in prompt["checks"]:
        check["weight"] = float(check["weight"])
    return formats.encode(prompt)


def _lines(path: Path) -> Iterator[bytes]:
    return (bytes(line) for line in formats.read_lines(path, msgspec.Raw))
