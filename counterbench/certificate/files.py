"""Certificate files: written whole, never over another file, and read with a clear error if they are wrong."""

from __future__ import annotations

from pathlib import Path

from counterbench.certificate.document import Certificate
from counterbench.errors import InputError
from counterbench.files import claim, formats
from counterbench.files.addresses import copies, shown


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file; FormatError if it is none, is damaged, or was written by a newer version."""
    return formats.read_json(path, Certificate)


def write_certificate(path: Path, certificate: Certificate) -> None:
    """Write a certificate, over an older one if there is one; InputError if another file or a folder is there."""
    refuse_taken(path)
    with formats.clear_os_errors(path, "writing"):
        path.parent.mkdir(parents=True, exist_ok=True)
        formats.write_json(path, certificate)


def kept_in(run: Path, policy: str) -> Path:
    """The path in a run's folder for its certificate under a policy; `report` looks for it there."""
    return run / f"certificate-{policy}.json"


def keep_certificate(run: Path, certificate: Certificate, out: Path | None = None) -> str:
    """Write a run's certificate into its folder and, if given, to `out`.

    If only `out` can be written, the reason is returned, in words. InputError if neither can.
    """
    within = kept_in(run, certificate.policy.name)
    if out is None:
        if str(run) in copies:
            raise InputError(f"{shown(run)}: its certificate cannot be written there; name a file with --out")
        write_certificate(within, certificate)
        return ""
    write_certificate(out, certificate)
    try:
        write_certificate(within, certificate)
    except InputError as error:
        return f"`report` will not find it by itself, the run's folder could not keep it: {error}"
    return ""


def refuse_taken(path: Path) -> None:
    """InputError unless a certificate can be written there."""
    if path.suffix != ".json":
        raise InputError(f"{path}: a certificate's file ends in .json")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; --out takes the certificate's file")
    claim.refuse_taken(path, "certificate", lambda path: claim.has_mark(path, b'"counterbench.certificate/'))
