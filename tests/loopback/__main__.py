"""The server as a process with a fixed latency: `python -m loopback`, with tests/ on the path."""

import argparse
import json
import os
import sys

from loopback import LoopbackServer, Say


def main() -> None:
    """Serve until standard input ends; then print what was seen, as a line of JSON."""
    about = "An OpenAI-compatible server on loopback with a fixed latency."
    parser = argparse.ArgumentParser(prog="python -m loopback", description=about)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds from a request's arrival to its reply")
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    chosen = parser.parse_args()
    with LoopbackServer(Say(delay=chosen.latency), port=chosen.port) as server:
        print(server.url, flush=True)
        while os.read(sys.stdin.fileno(), 4096):
            pass
    counts = server.asked_per_question()
    report = {
        "requests": len(server.log),
        "questions": len(counts),
        "answered": sum(server.answered_per_question().values()),
        "peak_in_flight": server.peak_in_flight,
        "connections": server.connections,
    }
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
