"""Alembic's environment: the revisions run in the transaction that the installer has opened."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, version_table="alembic_version", version_table_schema="cognifold")
context.run_migrations()
