"""The benchmark of forgetting, on memories of a size that takes no time."""

from __future__ import annotations

from benchmarks.forget import measure


def test_what_is_measured_is_forgotten_and_leaves_the_memory_sound(admin_dsn: str) -> None:
    found = measure(admin_dsn, [150, 300], [1, 20], 2)
    assert found["faults"] == 0
    assert {
        "one_ms_150",
        "one_ms_300",
        "one_ratio",
        "dry_run_ms_300",
        "batch_20_per_event_ms",
        "subject_seconds",
    } <= found.keys()
