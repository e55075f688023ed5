"""Run the command line from a checkout: `python cli.py --help` (not part of the wheel)."""

from counterbench.__main__ import main

main()
