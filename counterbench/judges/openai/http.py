"""The HTTP library of the OpenAI SDK, which loads in a tenth of the SDK's time."""

from typing import TYPE_CHECKING, Any

__all__ = ["HTTP", "UNPACKED"]

if TYPE_CHECKING:
    HTTP: Any
else:
    try:
        import httpx2 as HTTP
    except ImportError:  # before version 3 of the SDK
        import httpx as HTTP

UNPACKED = {"Accept-Encoding": "identity"}  # a small packed reply may be huge unpacked
