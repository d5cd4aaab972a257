"""Write the SQL reference, from the comments in the database: ``make docs``.

What a verb, view, table or column means is said once, by COMMENT ON; this page is that, in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg

from cognifold_pg.connect import resolve_dsn

_HEAD = """# SQL reference

Made from the comments in the database (`make docs`). Every verb takes `tenant text DEFAULT
cognifold.required_tenant()`, the tenant set by `cognifold.tenant`. Errors carry SQLSTATEs of class CF:

| SQLSTATE | meaning |
|---|---|
| CF001 | no tenant is set |
| CF002 | the tenant does not exist |
| CF003 | the role may not use the tenant |
| CF004 | another tenant is set than the one given |
| CF010 | a value is out of range or of the wrong form |
| CF011 | a vector has no direction |
| CF012 | a vector of another model than the tenant's |
| CF013 | a vector of another length than its model's |
| CF020 | a plan is rejected, with the operation and the reason |
| CF021 | the node, event or plan does not exist |
| CF022 | an intent cannot go from its status to that one |
| CF023 | a plan cannot be undone: later plans build on it (the detail lists them), or it is undone already |
| CF024 | a claimed event is somebody else's by now |
| CF025 | the graph moved on since a plan's context was read |
| CF026 | a tenant is, or is not, moving to another embedding model just then |
| CF027 | another sleep pass of the tenant is running, or the one to go on with has ended |
| CF028 | the extension's installer lacks a right, or found a schema that is another's |
| CF029 | the extension's installer is older than what made the schema |
| CF030 | a delivery is somebody else's by now, or acknowledged already |
| CF031 | the consumer does not exist |
| CF032 | the consumer is disabled |
| CF033 | a consumer of that name is there, for something else |
| CF034 | a clearance is not private, and the verb works on, or would show, all of the memory |
| CF035 | an intent cannot be reopened: another of the same concept is open |
| CF036 | a step of an intent cannot go from its status to that one |
| CF037 | an intent that is closed or expired takes no steps |
| CF038 | a text is no rule of recurrence |
| CF039 | a profile cannot be given or taken: it or the role is unknown, or the caller may not |
| CF040 | a template, an expression or another argument of `watch` says nothing, or too much |
| CF041 | a relation cannot be watched, or not by this role |
| CF042 | this role has no watch of that name |
| CF043 | another watch has that name |
| CF044 | a table cannot be gone through: it has no primary key, or its columns have changed |
| CF045 | a watch was to forget rows of a table without primary key, and has no source_key |
| CF046 | a captured row made no event (noted in `watch_error`, raised to nobody) |
| CF047 | `forget` was given no condition, or one that says nothing |
| CF048 | a plan had a part in what is forgotten: it is not undone, nor applied again |
| CF049 | the tenant has no rule of retention of that name |
| CF050 | a claimed job of the schedule is somebody else's by now, or was ended |
| CF051 | the tenant has reached `fold.rate` or `fold.budget`: its events wait |
| CF052 | a program and the schema are of versions that do not go together; the message names both |
| CF053 | there is no graph in Apache AGE, or not a whole one; or a walk would take more than `graph.reach` steps |
| CF054 | a file of an export was cut or changed; the message names the line, and nothing was written |
| CF055 | a file of an export is of a format that a later version writes |
"""

_ROUTINES = """
SELECT p.proname, p.prokind, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), d.description
FROM pg_proc p JOIN pg_description d ON d.objoid = p.oid AND d.classoid = 'pg_proc'::regclass
WHERE p.pronamespace = 'cognifold'::regnamespace AND d.description NOT LIKE '%Internal%'
ORDER BY p.proname COLLATE "C"
"""
_RELATIONS = """
SELECT c.oid, c.relname, d.description
FROM pg_class c JOIN pg_description d ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0
WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = %s
ORDER BY c.relname COLLATE "C"
"""
_COLUMNS = """
SELECT a.attname, format_type(a.atttypid, a.atttypmod), d.description
FROM pg_attribute a
LEFT JOIN pg_description d ON d.objoid = a.attrelid AND d.classoid = 'pg_class'::regclass AND d.objsubid = a.attnum
WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
"""
_SETTINGS = """
SELECT name, value, minimum, maximum, unit, description, source FROM cognifold.setting_default ORDER BY name COLLATE "C"
"""


def reference(connection: psycopg.Connection[Any]) -> str:
    """The whole page, in Markdown."""
    return "\n".join(_page(connection)) + "\n"


def _page(connection: psycopg.Connection[Any]) -> Iterator[str]:
    yield _HEAD
    yield "## Verbs\n"
    for name, kind, arguments, result, description in connection.execute(_ROUTINES):
        yield f"### {name}\n"
        returns = "" if kind == "p" else f" → {result}"
        call = "CALL " if kind == "p" else ""
        yield f"`{call}cognifold.{name}({arguments}){returns}`\n"
        yield f"{description}\n"
    yield "## Settings\n"
    yield "A tenant overrides one with `set_setting`.\n"
    yield "| setting | default | range | unit | meaning | source |\n|---|---|---|---|---|---|"
    for name, value, minimum, maximum, unit, description, source in connection.execute(_SETTINGS):
        yield f"| `{name}` | {value:g} | {minimum:g} to {maximum:g} | {unit} | {description} | {source} |"
    for heading, kind in (("Views", "v"), ("Tables", "r")):
        yield f"\n## {heading}\n"
        for oid, name, description in connection.execute(_RELATIONS, [kind]).fetchall():
            yield f"### {name}\n\n{description}\n\n| column | type | meaning |\n|---|---|---|"
            for column, type_name, meaning in connection.execute(_COLUMNS, [oid]):
                yield f"| `{column}` | {type_name} | {meaning or ''} |"
            yield ""


if __name__ == "__main__":
    with psycopg.connect(resolve_dsn(), autocommit=True) as opened:
        print(reference(opened), end="")
