"""One file per release step."""
