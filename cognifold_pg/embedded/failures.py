"""From what PostgreSQL's programs print when they fail, to what was wrong and what to do."""

from __future__ import annotations

from cognifold_pg.embedded.account import Account
from cognifold_pg.embedded.folder import ServerFolder
from cognifold_pg.errors import EmbeddedServerError

_DISK_FULL = "The disk of {folder} is full. Free some space, or choose another folder with --data-dir."

# Words of the server's own messages (in English: our configuration sees to that) -> what they mean to a user.
# The first match counts. {folder}, {port} and {user} are filled in.
_MEANINGS = (
    (
        "No space left on device",
        _DISK_FULL,
    ),
    (
        "Check free disk space",
        _DISK_FULL,
    ),
    (
        "Address already in use",
        "TCP port {port} is taken by another program: choose another with --tcp, or none (the socket is enough).",
    ),
    (
        "could not bind IPv4 address",
        "TCP port {port} can't be listened on by {user}: choose another above 1023 with --tcp.",
    ),
    (
        "pre-existing shared memory block",
        "Processes of a server that died still hold the memory of {folder}: end the `postgres` processes of "
        "{user} and start again.",
    ),
    (
        'lock file "postmaster.pid" already exists',
        "A PostgreSQL that was started by other means uses {folder}/pgdata: stop it first.",
    ),
    (
        "Cannot allocate memory",
        "There is not enough memory for the server: put a smaller shared_buffers in {folder}/custom.conf.",
    ),
    (
        "database files are incompatible with server",
        "{folder} was made by another version of PostgreSQL.",
    ),
    (
        "could not access file",
        "A library that the server should load is missing from its programs.",
    ),
    (
        "could not load library",
        "A library that the server should load does not load on this machine.",
    ),
    (
        "configuration file",
        "A setting is not accepted: look at {folder}/custom.conf.",
    ),
)


def failure(
    doing: str, output: str, folder: ServerFolder, account: Account, port: int | None = None
) -> EmbeddedServerError:
    """The error for a program that failed at ``doing`` and printed ``output``, of which it quotes the end."""
    meaning = next((text for words, text in _MEANINGS if words in output), "")
    paragraphs = [f"{doing} failed. {meaning.format(folder=folder.path, port=port, user=account.name)}".strip()]
    if last := [line for line in output.splitlines() if line.strip()][-6:]:
        paragraphs.append("PostgreSQL said:\n  " + "\n  ".join(last))
    if folder.log.exists():
        paragraphs.append(f"More may stand in {folder.log}")
    return EmbeddedServerError("\n".join(paragraphs))
