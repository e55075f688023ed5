"""Commands read at addresses, write into folders, and show and store no password."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import fsspec.utils
import pytest
from commands import call, fails
from fsspec.implementations.memory import MemoryFileSystem
from sweeping import swept

VAULT = "vault://me:InnerWord@host/deep"


class Vault(MemoryFileSystem):
    """A store that is reached with a password in its address, as sftp: and ftp: are."""

    protocol = "vault"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    cachable = False

    def __init__(self, host: str, username: str = "", password: str = "", **_: Any) -> None:
        super().__init__()
        if (host, username, password) != ("host", "me", "InnerWord"):
            raise PermissionError(f"Login failed at vault://{username}:{password}@{host}")

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return "/" + fsspec.utils.infer_storage_options(path)["path"].strip("/")

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, Any]:
        options = fsspec.utils.infer_storage_options(path)
        return {name: options[name] for name in ("host", "username", "password") if name in options}


class FailingStore(MemoryFileSystem):
    """A store that fails in its own ways."""

    protocol = "odd"
    cachable = False
    error: Exception = Exception()

    def __init__(self, **_: Any) -> None:
        raise self.error


class NoCredentialsError(Exception):
    """As a store's own library has them."""


@pytest.fixture(autouse=True)
def stores() -> Iterator[None]:
    for name, store in {"odd": FailingStore, "vault": Vault}.items():
        fsspec.register_implementation(name, store, clobber=True)
    Vault.store.clear()
    Vault.pseudo_dirs[:] = [""]
    yield
    Vault.store.clear()


def store_folder(folder: Path, name: str) -> str:
    """The address of what is in a folder, with its password."""
    for path in folder.rglob("*"):
        if path.is_file():
            Vault("host", "me", "InnerWord").pipe_file(f"/deep/{name}/{path.relative_to(folder)}", path.read_bytes())
    return f"{VAULT}/{name}"


@pytest.mark.slow
def test_commands_read_addresses_and_store_or_print_no_password(tmp_path: Path) -> None:
    outputs = []

    def command(*words: object) -> str:
        result = call(*words)
        assert result.exit_code == 0 or words[0] == "certify", result.output
        outputs.append(result.output)
        return result.stdout

    for k in range(2):
        command("generate", "smoke", "--limit", 6, "--workers", 1, "--shard", f"{k}/2", "--out", tmp_path / f"part-{k}")
    parts = [store_folder(tmp_path / f"part-{k}", f"part-{k}") for k in range(2)]
    command("merge", *parts, "--out", tmp_path / "pairs")
    pairs = store_folder(tmp_path / "pairs", "pairs")
    command("verify", pairs)
    command("probe", pairs, "--judge", "planted:noisy", "--out", tmp_path / "run", "--upload", f"{VAULT}/run")
    for run in (f"{VAULT}/run", tmp_path / "run"):
        for form in ("csv", "json"):
            command("score", run, "--format", form)
    assert outputs[-1] == outputs[-3].replace("vault://me:…@host/deep", str(tmp_path))
    assert "vault://me:…@host/deep/run" in command("compare", f"{VAULT}/run", tmp_path / "run", "--anyway")
    command("certify", f"{VAULT}/run", "--out", tmp_path / "certificate.json")
    command("report", f"{VAULT}/run", "--out", tmp_path / "report.html")
    command("probe", pairs, "--judge", f"replay:{VAULT}/run", "--out", tmp_path / "again")
    command("export", pairs, "--format", "webdataset", "--out", f"{VAULT}/shards")
    command("t2i", "generate", "laws", "--generator", "planted:literal", "--limit", 1, "--samples", 1,
            "--out", tmp_path / "images")  # fmt: skip
    images = store_folder(tmp_path / "images" / "planted-literal", "images")
    command("validate", "planted:oracle", "--for", images, "--out", tmp_path / "validated", "--plan")
    command("t2i", "judge", images, "--judge", "planted:oracle", "--uncertified", "--out", tmp_path / "judged",
            "--upload", f"{VAULT}/judged")  # fmt: skip
    command("score", f"{VAULT}/judged")
    assert [text for text in outputs if "InnerWord" in text or "/counterbench-" in text] == []
    assert [file for file in Vault.store.values() if b"InnerWord" in file.getvalue()] == []
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"InnerWord" not in path.read_bytes(), path


@pytest.mark.parametrize(
    "line",
    [
        ("probe", "smoke", "--judge", "planted:oracle"),
        ("t2i", "judge", "{}/images/planted-literal", "--judge", "planted:oracle", "--uncertified"),
    ],
)
def test_a_stopped_run_resumes_on_another_machine(line: tuple[str, ...], tmp_path: Path) -> None:
    call("t2i", "generate", "laws", "--generator", "planted:literal", "--limit", 1, "--samples", 1,
         "--out", tmp_path / "images")  # fmt: skip
    asks = [*(word.format(tmp_path) for word in line), "--upload", f"{VAULT}/run"]
    assert call(*asks, "--max-calls", 3, "--out", tmp_path / "one").exit_code == 3
    assert "--resume-from vault://me:…@host/deep/run goes on with it" in fails(*asks, "--out", tmp_path / "two")
    went_on = call(*asks, "--resume-from", f"{VAULT}/run", "--out", tmp_path / "two")
    assert (went_on.exit_code, "3 already answered" in went_on.stderr) == (0, True), went_on.output
    journal = (tmp_path / "two" / "journal.jsonl").read_bytes()
    assert Vault("host", "me", "InnerWord").cat_file("/deep/run/journal.jsonl") == journal


@pytest.mark.parametrize(
    "line",
    [
        ("generate", "smoke", "--out", "{}/pairs"),
        ("probe", "smoke", "--judge", "pixels", "--out", "{}/run"),
        ("t2i", "generate", "laws", "--generator", "planted:literal", "--out", "{}/images"),
        ("t2i", "prepare", "laws", "--author", "planted:oracle", "--out", "{}/prompts.jsonl"),
    ],
)
def test_a_command_refuses_an_address_as_output(line: tuple[str, ...]) -> None:
    message = fails(*(word.format(VAULT) for word in line))
    assert "is not on this machine; give a folder here (probe and t2i judge" in message
    assert "with --upload vault://me:…@host/deep" in message
    assert not Vault.store


@pytest.mark.parametrize("address", ["vault://me:OtherWord@host/run", "vault:/me:OtherWord@host/run"])
def test_an_error_about_a_password_does_not_print_it(address: str) -> None:
    assert "OtherWord" not in fails("score", address)


@swept(
    ("address", "error", "reason"),
    [
        ("odd://a/run", NoCredentialsError("Unable to locate credentials"), "Unable to locate credentials"),
        ("odd://a/run", NoCredentialsError(), "NoCredentialsError"),
        ("ftp://127.0.0.1:1/run", Exception(), "Connection refused"),
        ("nowhere://a/run", Exception(), "Protocol not known: nowhere"),
        ("vault://a:b/run", Exception(), "Port could not be cast"),
    ],
)
def test_an_error_of_a_store_is_one_line_verbatim(address: str, error: Exception, reason: str, tmp_path: Path) -> None:
    """`call` refuses what says that counterbench may be at fault."""
    FailingStore.error = error
    for words in (("score", address), ("probe", "smoke", "--judge", "pixels", "--out", tmp_path, "--upload", address),
                  ("export", "smoke", "--limit", 1, "--format", "hf", "--out", address)):  # fmt: skip
        message = fails(*words)
        assert "\n" not in message
        assert reason in message
        assert address in message
