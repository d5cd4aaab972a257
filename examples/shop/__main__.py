"""``python -m cognifold_pg.examples.shop``: the same as ``cognifold example``."""

import sys

from cognifold_pg.cli import main

sys.argv[1:1] = ["example"]
main()
