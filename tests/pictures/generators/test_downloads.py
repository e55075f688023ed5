"""Pictures are fetched from public addresses, the generator's own host and named hosts, and from nowhere else."""

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import call
from loopback import Draw, LoopbackServer, Raw, Status, Trickle, Verbatim
from loopback.images import picture_for
from pictures.drawn import files, prompt_set
from sweeping import swept

from counterbench.errors import InputError
from counterbench.judges.openai.sdk import HTTP
from counterbench.pictures.generators import Drawing, downloads, open_generator
from counterbench.pictures.generators.downloads import Downloads, Resolve, host_name, is_public, resolved

PICTURE = Raw(picture_for("a", 1), "image/png")
NAMED = "pictures.example"  # a name that no system knows


def fetch(url: str, hosts: Iterable[str] = (), resolve: Resolve = resolved, timeout: float = 30.0) -> bytes | Drawing:
    async def once() -> bytes | Drawing:
        downloads = Downloads(timeout, hosts, resolve)
        try:
            return await downloads.fetch(url)
        finally:
            await downloads.close()

    return asyncio.run(once())


def refused(found: bytes | Drawing) -> str:
    """The message of a failure that no other try and no other drawing cures."""
    assert isinstance(found, Drawing)
    assert found.failure is not None
    assert (found.failure.kind, found.retry) == ("download", None)
    return found.failure.message


def resolver_of(*addresses: str) -> Resolve:
    """A resolver that knows every name, by these addresses."""

    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        running.files["/p.png"] = PICTURE
        yield running


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "localhost", "user:word@127.0.0.1", "0.0.0.0"]
)
def test_no_spelling_of_this_machines_address_is_fetched(host: str, server: LoopbackServer) -> None:
    refused(fetch(f"http://{host}:{server.port}/p.png"))
    assert not server.log


@pytest.mark.parametrize("host", ["169.254.169.254", "10.0.0.1", "[fd00:ec2::254]"])
def test_a_refused_address_names_the_host_and_the_option(host: str) -> None:
    message = refused(fetch(f"http://{host}/latest/secret?token=word"))
    assert f"--image-host {host.strip('[]')} " in message
    assert "latest" not in message
    assert "word" not in message


@pytest.mark.parametrize("location", ["http://127.0.0.1:{}/p.png", "//localhost:{}/p.png", "ftp://a.example/p.png"])
def test_a_redirect_is_checked_like_an_address(location: str, server: LoopbackServer) -> None:
    server.files["/moved"] = Status(302, headers={"location": location.format(server.port)})
    refused(fetch(f"http://{NAMED}:{server.port}/moved", [NAMED], resolver_of("127.0.0.1")))
    assert [entry.asked.path for entry in server.log] == ["/moved"]


def test_the_connection_is_made_to_the_address_that_was_checked(server: LoopbackServer) -> None:
    """Each name is resolved once a request, here; a second answer, as after a change of the name, is not asked for."""
    resolved: list[str] = []

    async def changing(host: str, port: int) -> list[str]:
        resolved.append(f"{host}:{port}")
        return ["127.0.0.1"] if len(resolved) <= 2 else ["127.0.0.2"]

    server.files["/moved"] = Status(302, headers={"location": "/p.png"})
    place = f"{NAMED}:{server.port}"
    assert fetch(f"http://{place}/moved", [NAMED], changing) == PICTURE.body
    assert resolved == [place, place]
    assert [headers["host"] for headers in server.headers_seen] == [place, place]


@pytest.mark.parametrize(("others", "addresses"), [([], ["8.8.8.8"]), (["10.0.0.1"], [])])
def test_every_address_of_a_name_must_be_public(
    others: list[str], addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    connected = []

    async def connect(self: object, request: Any) -> Any:
        connected.append(request.url.host)
        return HTTP.Response(200, stream=HTTP.ByteStream(b"a picture"))

    monkeypatch.setattr(HTTP.AsyncHTTPTransport, "handle_async_request", connect)
    found = fetch(f"http://{NAMED}/p.png", (), resolver_of("8.8.8.8", *others))
    assert (found == b"a picture") == bool(addresses)
    assert connected == addresses


def test_the_next_address_is_tried_if_one_is_closed(server: LoopbackServer) -> None:
    assert fetch(f"http://{NAMED}:{server.port}/p.png", [NAMED], resolver_of("::1", "127.0.0.1")) == PICTURE.body


@pytest.mark.parametrize(("redirects", "fetched"), [(3, True), (4, False)])
def test_three_redirects_are_followed(redirects: int, fetched: bool, server: LoopbackServer) -> None:
    for k in range(redirects):
        location = f"/{k + 1}" if k + 1 < redirects else "/p.png"
        server.files[f"/{k}"] = Status(307, headers={"location": location})
    found = fetch(server.url.replace("/v1", "/0"), ["127.0.0.1"])
    assert found == PICTURE.body if fetched else "more than 3 redirects" in refused(found)
    assert len(server.log) == 4


def test_the_timeout_of_a_body_covers_it_as_a_whole(server: LoopbackServer) -> None:
    server.files["/slow"] = Trickle(of=PICTURE)
    found = fetch(server.url.replace("/v1", "/slow"), ["127.0.0.1"], timeout=0.3)
    assert isinstance(found, Drawing)
    assert found.failure is not None
    assert "not complete within 0.3 seconds" in found.failure.message
    assert [entry for entry in server.log if entry.whole] == [], "it was given up on the way"
    assert Downloads(300)._timeout == 30


def test_a_body_of_unstated_length_is_limited(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert downloads._MAX_BYTES == 50_000_000
    monkeypatch.setattr(downloads, "_MAX_BYTES", 1000)
    server.files["/huge"] = Verbatim(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000)
    assert "more than 1000 bytes" in refused(fetch(server.url.replace("/v1", "/huge"), ["127.0.0.1"]))


def test_a_compressed_body_is_refused(server: LoopbackServer) -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: br\r\n\r\n"
    server.files["/packed"] = Verbatim(head + PICTURE.body)
    assert "it is compressed (br)" in refused(fetch(server.url.replace("/v1", "/packed"), ["127.0.0.1"]))
    assert [entry.asked.headers["accept-encoding"] for entry in server.log] == ["identity"]


@pytest.mark.slow
def test_proxies_of_the_environment_are_not_used(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.port}")
    refused(fetch("http://169.254.169.254/p.png"))
    fetch("http://127.0.0.1:1/p.png", ["127.0.0.1"])
    assert not server.log


@swept("given", ["", "a/b", "http://a", "a:80", "me@a", "*.example"])
def test_an_invalid_host_is_refused(given: str) -> None:
    with pytest.raises(InputError, match="is no host; give a name or an IP address alone"):
        open_generator("openai:m", prompt_set(1), base_url="http://127.0.0.1:1/v1", image_hosts=[given])


def test_a_host_is_compared_as_addresses_spell_it() -> None:
    names = ["CDN.example", "[::1]", "::1", "bücher.example"]
    assert [*map(host_name, names)] == ["cdn.example", "::1", "::1", "xn--bcher-kva.example"]


PUBLIC = "8.8.8.8 2001:4860:4860::8888 ::ffff:8.8.8.8 64:ff9b::808:808"
NOT_PUBLIC = (
    "100.64.0.1 168.63.129.16 192.168.1.1 224.0.0.1 ::ffff:10.0.0.1 64:ff9b::a9fe:a9fe 2002:7f00:1::1 fd00::1 ff0e::1"
)


def test_public_addresses_are_distinguished_from_private_ones() -> None:
    assert [address for address in f"{PUBLIC} {NOT_PUBLIC}".split() if is_public(address)] == PUBLIC.split()


def generated(server: LoopbackServer, out: Path, *options: object) -> str:
    address = f"openai:m?base_url=http://localhost:{server.port}/v1"
    command = ("t2i", "generate", "laws", "--generator", address, "--limit", 1, "--samples", 1, "--out", out)
    return call(*command, *options).output


@pytest.mark.slow
def test_another_local_host_is_used_only_if_an_option_names_it(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        server.files["/p.png"] = PICTURE
        server.script = lambda request: Draw(url=f"http://127.0.0.1:{server.port}/p.png")
        output = generated(server, tmp_path / "a")
        assert "--image-host 127.0.0.1 allows it" in output
        assert [entry for entry in server.log if entry.asked.path == "/p.png"] == []
        assert "in the folder: 3 ok" in generated(
            server, tmp_path / "b", "--image-host", "10.0.0.1", "--image-host", "127.0.0.1"
        )


@pytest.mark.slow
def test_of_files_from_the_generators_own_host_only_pictures_are_kept(tmp_path: Path, hurried: None) -> None:
    with LoopbackServer() as server:
        server.files["/secret"] = Raw("the-inner-word")
        server.script = lambda request: Draw(url=f"http://localhost:{server.port}/secret")
        assert "3 unreadable" in generated(server, tmp_path)
        assert sum(entry.asked.path == "/secret" for entry in server.log) == 3
    for name in files(tmp_path):
        assert b"the-inner-word" not in (tmp_path / name).read_bytes()
        assert not name.endswith(".unreadable")
