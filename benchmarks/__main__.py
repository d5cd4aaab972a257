"""``python -m benchmarks --data FOLDER``: every benchmark that reads evaluation data, on its part of the folder.

``benchmarks.plan_throughput``, ``benchmarks.rank_maintenance``, ``benchmarks.metabolism``, ``benchmarks.capture`` and
``benchmarks.transfer`` make their memories themselves and fill a server for many minutes, ``benchmarks.forgetting``
lives through a year, and ``benchmarks.soak`` and ``benchmarks.fairness`` run workers on a server of their own: they are
run by their own names.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

# The benchmark, and what it reads of the folder.
BENCHMARKS = {
    "locomo": "data/locomo/locomo_dev.json",
    "embedder": "scenarios",
    "calibrate": "scenarios",
    "structure": "scenarios",
    "affect": "data/emobank",
    "multihop": "data/multihop",
}
NEEDED = ", ".join(dict.fromkeys(BENCHMARKS.values()))


def main() -> None:
    """Run each benchmark whose data is there, in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--data", type=Path, help=f"a folder with {NEEDED}")
    folder = parser.parse_args().data
    if folder is None:
        print(f"The benchmarks read evaluation data: make bench ARGS='--data FOLDER', a folder with {NEEDED}.")
        return
    for name, file in BENCHMARKS.items():
        if not (folder / file).exists():
            print(f"{name}: no {folder / file}, left out")
            continue
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", "--data", str(folder / file)], check=True)


if __name__ == "__main__":
    main()
