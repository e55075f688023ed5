"""The HTTP library of the OpenAI SDK, which loads in a tenth of the SDK's time."""

from typing import Any

import httpx2

HTTP: Any = httpx2
UNPACKED = {"Accept-Encoding": "identity"}  # a small packed reply may be huge unpacked
