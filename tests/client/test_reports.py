"""Typed rows of what reports on the memory, and the vocabulary of MNE."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import datetime

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError, UnknownTenantError
from cognifold_pg.mne import MneMemory
from tests.conftest import Connection, value


def test_the_context_window_and_ranks_come_typed(memory: Memory) -> None:
    events = [memory.remember(text) for text in ("Swam two kilometres", "Swam three kilometres", "Frost at night")]
    memory.fold_all()
    window = memory.context_window(3)
    assert {row.node_id for row in window} >= {*events[:1]} and len(window) == 3
    assert max(row.rank for row in memory.pagerank()) == 1
    assert {row.node_id for row in memory.pagerank()} >= set(events)
    with pytest.raises(FrozenInstanceError):
        window[0].score = 1  # type: ignore[misc]


def test_a_naive_as_of_and_a_number_out_of_range_are_refused(memory: Memory) -> None:
    with pytest.raises(InvalidValueError, match="as_of"):
        memory.context_window(as_of=datetime(2026, 6, 1))
    with pytest.raises(InvalidValueError, match="as_of"):
        memory.pagerank(as_of=datetime(2026, 6, 1))
    with pytest.raises(InvalidValueError, match="max_nodes = 0"):
        memory.context_window(0)


def test_stats_are_of_the_memorys_tenant_or_there_is_none(memory: Memory, dsn: str) -> None:
    memory.remember("Swam two kilometres")
    stats = memory.stats()
    assert (stats.tenant_id, stats.events, stats.folds_pending) == (memory.tenant, 1, 1)
    with Memory(dsn, tenant="nobody at all") as nobody, pytest.raises(UnknownTenantError, match="nobody at all"):
        nobody.stats()


def test_statements_are_read_anew(memory: Memory, admin: Connection) -> None:
    memory.remember("I live in Lisbon.", actor="Ben")
    memory.remember("My locker code is 1.", actor="Ben")
    memory.remember("What a day.", actor="Ben")
    memory.fold_all()
    admin.execute("DELETE FROM cognifold.state_attribute WHERE tenant_id = %s", [memory.tenant])
    assert memory.rebuild_statements() == 2
    held = "SELECT array_agg(value ORDER BY value) FROM cognifold.state_statement WHERE tenant_id = %s"
    assert value(admin, held, memory.tenant) == ["1", "lisbon"]


def test_health_is_told_before_there_is_a_tenant(dsn: str) -> None:
    with Memory(dsn, tenant="nobody at all") as memory:
        assert all(check.ok for check in memory.health())


def test_experiences_are_encoded_and_retrieved_in_the_words_of_mne(memory: Memory) -> None:
    mne = MneMemory(memory)
    event = mne.encode_experience("Ana was glad about the loan", emotional_weight=0.8, actor="Ana")
    memory.fold()
    assert mne.retrieve("who was glad?", 1)[0].node_id == event
    assert mne.extract_insights() == []


def test_a_sleep_pass_in_the_words_of_mne_shows_in_the_stats(memory: Memory) -> None:
    mne = MneMemory(memory)
    mne.encode_experience("Ana was glad about the loan")
    memory.fold()
    assert memory.stats().last_consolidation is None
    assert mne.consolidate_memories().run_id is not None
    assert memory.stats().last_consolidation is not None


def test_insights_come_with_what_they_rest_on_the_surest_first(memory: Memory) -> None:
    mne = MneMemory(memory)
    event = mne.encode_experience("Ana was glad about the loan")
    stated = {"op": "ADD_INSIGHT", "grounded_in": [event]}
    loans = {"kind": "liking", "insight": "loans please", "confidence": 0.4, "abstraction_level": "general"}
    mood = {"kind": "mood", "insight": "Ana is glad", "confidence": 0.9, "abstraction_level": "specific"}
    memory.apply_plan({"operations": [stated | loans, stated | mood]})
    assert [row.insight for row in mne.extract_insights()] == ["Ana is glad", "loans please"]
    [general] = mne.extract_insights(abstraction_levels=["general"])
    assert general.derived_from == (event,)
    assert mne.extract_insights(minimum_confidence=0.95) == []
