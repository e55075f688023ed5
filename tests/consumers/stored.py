"""An object store on loopback, which the real client of S3 takes for Amazon's."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import fsspec
from moto.server import ThreadedMotoServer

BUCKET = "bucket"


@contextlib.contextmanager
def object_store() -> Iterator[fsspec.AbstractFileSystem]:
    """One with an empty bucket; clients find it by the environment."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    before = dict(os.environ)
    os.environ |= {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    system = fsspec.filesystem("s3", skip_instance_cache=True)
    if system.exists(BUCKET):  # the server's memory outlives it
        system.rm(BUCKET, recursive=True)
    system.mkdir(BUCKET)
    try:
        yield system
    finally:
        server.stop()
        fsspec.filesystem("s3").clear_instance_cache()
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ |= before


def brought(system: fsspec.AbstractFileSystem, name: str, to: Path) -> Path:
    """What the store has of a folder, as files."""
    system.invalidate_cache()
    system.get(f"{BUCKET}/{name}/", str(to / name), recursive=True)
    return to / name
