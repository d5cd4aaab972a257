"""``python -m cognifold_pg``: the command line."""

from cognifold_pg.cli import main

if __name__ == "__main__":
    main()
