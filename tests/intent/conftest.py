"""What tests of intents start from."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import Connection
from tests.graph.plans import START
from tests.intent.workshop import Workshop


@pytest.fixture
def new_workshop(
    connect: Callable[..., Connection], new_tenant: Callable[..., str], admin: Connection
) -> Callable[[], Workshop]:
    """Makes memories at START with an outside model of three dimensions, in which only plans make concepts."""

    def make() -> Workshop:
        admin.execute("SELECT cognifold.register_model('bench', 'external', 3, duplicate => 1)")
        tenant = new_tenant(model="bench")
        made = Workshop(connect(tenant, now=START), tenant)
        made.set("fold.minimum_information", 100)
        made.set("fold.related", 0)
        return made

    return make


@pytest.fixture
def workshop(new_workshop: Callable[[], Workshop]) -> Workshop:
    """One of them, in which what is voiced in an hour counts, too."""
    made = new_workshop()
    made.set("intent.span", 0)
    return made
