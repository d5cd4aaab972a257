"""Dramatiq actors: every one a doorbell for a SQL function."""
