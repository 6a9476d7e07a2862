"""Train a run from the command line: ``python -m clwork.train run.toml``; see :mod:`clwork.training.run.command`.

This file is run, and not imported: ``clwork.train`` is the function.
"""

import sys

from clwork.training.run.command import main

if __name__ == "__main__":
    sys.exit(main())
