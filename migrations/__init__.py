"""Alembic revisions: thin, each runs packaged SQL files; found by path, never imported."""
