"""The command line, also as `python -m counterbench`.

The imports lie within the `try` of `main`, so that Ctrl-C during them prints one line and no traceback.
"""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from counterbench.cli import main as run

        run()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)  # noqa: T201  (our way to print may not be imported)
        sys.exit(130)


if __name__ == "__main__":
    main()
