"""`python -m counterbench` is the command line."""

from counterbench.cli import main

main()
