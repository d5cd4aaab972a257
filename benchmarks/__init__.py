"""Quality and speed, measured: each module is a command that prints a table and writes JSON."""
