"""Commands whose --out is an address write there what they write here, wherever they were stopped, and read it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import fsspec.utils
import msgspec
import pytest
from commands import call
from fsspec.implementations.memory import MemoryFileSystem

from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.files import copies
from counterbench.files.addresses import place
from counterbench.files.store import Store
from counterbench.runs.journal import Record

STORE = "memory://bucket/deep"
# Each command, what stands before --out, and what it writes into; `{}` is a folder here or an address.
COMMANDS = {
    "pairs": ("generate", "smoke", "--limit", "6", "--workers", "1", "--out", "{}/pairs"),
    "part-0": ("generate", "smoke", "--limit", "6", "--workers", "1", "--shard", "0/2", "--out", "{}/part-0"),
    "part-1": ("generate", "smoke", "--limit", "6", "--workers", "1", "--shard", "1/2", "--out", "{}/part-1"),
    "whole": ("merge", "{}/part-0", "{}/part-1", "--out", "{}/whole"),
    "run": ("probe", "{}/whole", "--judge", "planted:noisy", "--wordings", "default,strict", "--out", "{}/run"),
    "images": ("t2i", "generate", "laws", "--generator", "planted:literal", "--limit", "1", "--samples", "1",
               "--out", "{}/images"),
    "judged": ("t2i", "judge", "{}/images/planted-literal", "--judge", "planted:oracle", "--uncertified",
               "--out", "{}/judged"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Go to another machine: one that has nothing of what lies here."""

    def go(name: str) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches" / name))

    memory = fsspec.filesystem("memory")
    memory.store.clear()
    memory.pseudo_dirs[:] = [""]
    for name, seconds in {"SILENT": 0.1, "SETTLED": 0.0}.items():
        monkeypatch.setattr(copies, name, seconds)
    go("one")
    yield go
    memory.store.clear()


def run(name: str, where: object) -> dict[str, Any]:
    """A command's JSON document."""
    result = call(*(word.format(where) for word in COMMANDS[name]), "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def contents(folder: Path) -> dict[str, object]:
    """What every file holds: of a picture its pixels, of a journal its records but for when they came."""
    found: dict[str, object] = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.suffix == ".png":
            found[name] = reading.read(path).tobytes()
        elif path.name == "journal.jsonl":
            records = (msgspec.json.decode(line, type=Record) for line in path.read_bytes().splitlines())
            plain = [msgspec.structs.replace(record, time="", seconds=None) for record in records]
            found[name] = sorted(plain, key=lambda record: (record.id, record.vote))
        elif path.is_file() and path.name not in (".lock", "t2i.json"):  # which says where the pictures were
            found[name] = path.read_bytes()
    return found


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What all of these commands write into a folder."""
    folder = tmp_path_factory.mktemp("here")
    for name in COMMANDS:
        run(name, folder)
    return folder


def fetched(tmp_path: Path) -> Path:
    """What the store has, as files."""
    memory, out = fsspec.filesystem("memory"), tmp_path / "fetched"
    for path in memory.find("/bucket/deep"):
        (to := out / path.removeprefix("/bucket/deep/")).parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(memory.cat_file(path))
    return out


def test_all_of_it_is_what_is_written_here(here: Path, tmp_path: Path, machine: Callable[[str], None]) -> None:
    for name in COMMANDS:
        machine(name)  # none has what another wrote
        run(name, STORE)
    assert contents(fetched(tmp_path)) == contents(here)


@pytest.mark.parametrize("name", ["part-1", "whole", "run", "images", "judged"])
@pytest.mark.parametrize("at", [7, *(pytest.param(at, marks=pytest.mark.slow) for at in (1, 2, 3, 4, 5, 6, 9, 12, 20))])
def test_another_machine_goes_on_where_the_store_was_lost(
    name: str, at: int, here: Path, tmp_path: Path, machine: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever had been sent by then, all or nothing of it: the same command ends with the same."""
    for before in {"whole": ["part-0", "part-1"], "run": ["part-0", "part-1", "whole"], "judged": ["images"]}.get(
        name, []
    ):
        run(before, STORE)
    writes = 0

    def cut(write: Callable[..., Any]) -> Callable[..., Any]:
        def cutting(*args: Any) -> Any:
            nonlocal writes
            writes += 1
            if writes > at:
                raise InputError("the network is gone")
            return write(*args)

        return cutting

    with monkeypatch.context() as patch:
        for way in ("write", "remove", "_put_one"):
            patch.setattr(Store, way, cut(getattr(Store, way, _put_one)), raising=False)
        patch.setattr(Store, "put", _put_singly)
        result = call(*(word.format(STORE) for word in COMMANDS[name]))
    assert (result.exit_code == 0) == (writes <= at)
    if result.exit_code:
        assert (result.exit_code, "the network is gone; all of it is here" in result.stderr) == (2, True)
        machine("two")
        run(name, STORE)
    assert contents(fetched(tmp_path) / name) == contents(here / name)


def _put_singly(store: Store, names: Iterable[str], folder: Path, check: Callable[[], None]) -> Iterator[list[str]]:
    for name in names:
        yield store._put_one(name, folder, check)  # type: ignore[attr-defined]


def _put_one(store: Store, name: str, folder: Path, check: Callable[[], None]) -> list[str]:
    (sent,) = _whole_put(store, [name], folder, check)
    return sent


_whole_put = Store.put


def test_what_could_not_be_sent_of_a_run_that_is_not_complete_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "put", lambda *_: _raise(InputError("the network is gone")))
    result = call("probe", "smoke", "--judge", "planted:oracle", "--max-calls", "3", "--out", f"{STORE}/run")
    assert result.exit_code == 2
    assert "error: the network is gone; all of it is here" in result.stderr


def _raise(error: Exception) -> None:
    raise error


def test_people_are_told_addresses() -> None:
    result = call(*(word.format(STORE) for word in COMMANDS["pairs"]))
    assert result.stdout.startswith(f"{STORE}/pairs: 6 pairs of smoke")
    assert f"next: counterbench verify {STORE}/pairs" in result.stdout
    assert str(place(STORE)) not in result.output
    missing = call("score", f"{STORE}/nothing")
    assert missing.exit_code == 2
    assert missing.stderr.startswith(f"error: {STORE}/nothing")


def test_a_table_and_a_page_name_addresses_too(tmp_path: Path) -> None:
    for name in ("part-0", "part-1", "whole", "run", "images", "judged"):
        run(name, STORE)
    runs = (f"{STORE}/run", f"{STORE}/run/wordings/strict")
    result = call("compare", *runs, "--anyway")
    assert f"{STORE}/run/wordings/strict" in result.stdout
    assert "/copies/" not in result.output
    for of in (runs, (f"{STORE}/judged",)):
        assert call("report", *of, "--out", tmp_path / "page.html").exit_code == 0
        assert "/copies/" not in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    "line",
    [
        ("certify", "runs/a", "--out", "{}/cert.json"),
        ("report", "runs/a", "--out", "{}/report.html"),
        ("gallery", "smoke", "--out", "{}/sheet.png"),
        ("import", "cf-world", "anywhere", "--out", "{}/prompts"),
    ],
)
def test_what_writes_a_file_here_says_so(line: tuple[str, ...]) -> None:
    result = call(*(word.format(STORE) for word in line))
    assert result.exit_code == 2
    assert "this is written on this machine; give a path here, and copy it there" in result.stderr
    assert not fsspec.filesystem("memory").find("/bucket")


def test_a_certificate_is_kept_with_its_run(machine: Callable[[str], None]) -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--out", f"{STORE}/run")
    machine("two")
    call("certify", f"{STORE}/run")
    assert fsspec.filesystem("memory").exists("/bucket/deep/run/certificate-standard.json")


def test_a_file_address_is_a_path(tmp_path: Path) -> None:
    call(*(word.format(f"file://{tmp_path}") for word in COMMANDS["pairs"]))
    assert call("verify", tmp_path / "pairs").exit_code == 0


def test_shards_are_named_by_a_pattern(here: Path, tmp_path: Path) -> None:
    for name in ("part-0", "part-1"):
        run(name, STORE)
    assert call("merge", f"{STORE}/part-*", "--out", tmp_path / "whole").exit_code == 0
    assert contents(tmp_path / "whole") == contents(here / "whole")


class Vault(MemoryFileSystem):  # type: ignore[misc]
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
        found = fsspec.utils.infer_storage_options(path)
        return {name: found[name] for name in ("host", "username", "password") if name in found}


@pytest.fixture
def vault() -> Iterator[str]:
    fsspec.register_implementation("vault", Vault, clobber=True)
    Vault.store.clear()
    Vault.pseudo_dirs[:] = [""]
    yield "vault://me:InnerWord@host/deep"
    Vault.store.clear()


@pytest.mark.slow
def test_a_password_in_an_address_is_neither_stored_nor_printed(
    vault: str, tmp_path: Path, machine: Callable[[str], None]
) -> None:
    said = []
    for name, words in COMMANDS.items():
        machine(name)
        result = call(*(word.format(vault) for word in words))
        assert result.exit_code == 0, result.output
        said.append(result.output)
    for command in (
        ("score", f"{vault}/run", "--format", "csv"),
        ("score", f"{vault}/run", "--json"),
        ("merge", f"{vault}/part-*", "--out", f"{vault}/joined"),
        ("certify", f"{vault}/run", "--out", tmp_path / "certificate.json"),
        ("report", f"{vault}/run", "--out", tmp_path / "report.html"),
        ("probe", f"{vault}/joined", "--judge", f"replay:{vault}/run", "--out", f"{vault}/again"),
        ("t2i", "score", f"{vault}/judged"),
    ):
        result = call(*command)
        assert result.exit_code == 0 or command[0] == "certify", result.output
        said.append(result.output)
    assert "vault://me:…@host/deep/joined" in "".join(said)
    assert not any("InnerWord" in text for text in said)
    assert Vault.store
    assert not any("InnerWord" in name or b"InnerWord" in file.getvalue() for name, file in Vault.store.items())
    for path in tmp_path.rglob("*"):
        assert "InnerWord" not in str(path)
        assert not path.is_file() or b"InnerWord" not in path.read_bytes(), path


@pytest.mark.parametrize("address", ["vault://me:OtherWord@host/run", "vault:/me:OtherWord@host/run"])
def test_an_error_about_a_password_does_not_tell_it(vault: str, address: str) -> None:
    for words in (("score", address), ("generate", "smoke", "--out", address)):
        result = call(*words)
        assert result.exit_code == 2
        assert "OtherWord" not in result.output


def test_an_address_that_was_printed_asks_for_its_password(vault: str) -> None:
    result = call("score", "vault://you:…@host/run")
    assert (result.exit_code, "give it with the password in place of …" in result.stderr) == (2, True)


class Odd(MemoryFileSystem):  # type: ignore[misc]
    """A store that fails in its own ways."""

    protocol = "odd"
    cachable = False
    error: Exception = Exception()

    def __init__(self, **_: Any) -> None:
        raise self.error


class NoCredentialsError(Exception):
    """As a store's own library has them."""


@pytest.mark.parametrize(
    ("address", "error", "said"),
    [
        ("odd://a/run", NoCredentialsError("Unable to locate credentials"), "Unable to locate credentials"),
        ("odd://a/run", NoCredentialsError(), "NoCredentialsError"),
        ("odd://a/run", PermissionError(13, "Permission denied"), "Permission denied"),
        ("odd://a/run", KeyError("endpoint"), "endpoint"),
        ("ftp://127.0.0.1:1/run", None, "Connection refused"),
        ("nowhere://a/run", None, "Protocol not known: nowhere"),
        ("sftp://a/run", None, "paramiko"),
        ("vault://a:b/run", None, "Port could not be cast"),
    ],
)
def test_what_a_store_says_is_told_as_it_is(address: str, error: Exception, said: str) -> None:
    """`call` refuses what says that counterbench may be at fault."""
    for name, store in {"odd": Odd, "vault": Vault}.items():
        fsspec.register_implementation(name, store, clobber=True)
    Odd.error = error
    for words in (("score", address), ("generate", "smoke", "--out", address),
                  ("export", "smoke", "--limit", 1, "--format", "hf", "--out", address)):  # fmt: skip
        result = call(*words)
        assert result.exit_code == 2
        assert len(result.stderr.strip().splitlines()) == 1
        assert said in result.stderr, result.stderr
        assert address in result.stderr
