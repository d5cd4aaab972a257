"""A worked example: a shop whose tables feed a memory.

``cognifold example`` plays it, and so does ``python -m cognifold_pg.examples.shop``.

Read roles.sql, schema.sql and watches.sql first; then run.py, which does what they leave to a program; traffic.py only
makes up what happens in the shop.
"""
