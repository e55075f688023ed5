"""The command line, also as `python -m counterbench`. Nothing is imported before Ctrl-C has its message."""

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
