"""``python -m benchmarks``: every benchmark that needs no data of its own to be named; the others, by ``--data``."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

# The benchmark, and the file of the data folder it reads.
BENCHMARKS = {"locomo": "locomo/locomo_dev.json"}


def main() -> None:
    """Run each benchmark whose data is there, in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--data", type=Path, help="a folder with locomo/locomo_dev.json")
    folder = parser.parse_args().data
    if folder is None:
        print("Nothing to run without data: make bench ARGS='--data FOLDER' (FOLDER/locomo/locomo_dev.json)")
        return
    for name, file in BENCHMARKS.items():
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", "--data", str(folder / file)], check=True)


if __name__ == "__main__":
    main()
