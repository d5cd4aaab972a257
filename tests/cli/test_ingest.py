from __future__ import annotations

import json
from pathlib import Path

import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import CognifoldError
from tests.cli.conftest import Command


def written(tmp_path: Path, *lines: object, name: str = "stream.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines))
    return path


def contents(dsn: str, tenant: str) -> list[str]:
    with Memory(dsn, tenant=tenant) as memory:
        return [row["content"] for row in memory.rows("SELECT content FROM cognifold.event ORDER BY occurred_at")]


RUN = {"content": "Morning run along the river, five kilometres", "occurred_at": "2026-05-04T06:30:00Z"}
AGAIN = {"content": "Morning run along the river in the rain", "occurred_at": "2026-05-06T06:30:00Z"}
ONCE_MORE = {"content": "Another morning run along the river", "occurred_at": "2026-05-08T06:30:00Z"}


def test_events_are_remembered_and_folded_and_a_second_time_changes_nothing(
    run: Command, dsn: str, unmade: str, tmp_path: Path
) -> None:
    path = written(tmp_path, RUN, AGAIN, ONCE_MORE)
    first = run("ingest", path, "--tenant", unmade)
    assert first.exit_code == 0
    assert "3 read, 3 remembered, 0 already known, 0 bad" in first.stdout
    assert f"tenant {unmade}: 3 folded, 1 concepts" in first.stdout
    second = run("ingest", path, "--tenant", unmade)
    assert second.exit_code == 0
    assert "3 read, 0 remembered, 3 already known, 0 bad" in second.stdout
    assert f"tenant {unmade}: 0 folded, 1 concepts" in second.stdout
    assert contents(dsn, unmade) == [RUN["content"], AGAIN["content"], ONCE_MORE["content"]]


def test_two_equal_lines_are_two_events(run: Command, dsn: str, unmade: str, tmp_path: Path) -> None:
    run("ingest", written(tmp_path, RUN, RUN), "--tenant", unmade)
    assert contents(dsn, unmade) == [RUN["content"]] * 2


def test_bad_lines_are_named_and_skipped_as_asked(run: Command, dsn: str, unmade: str, tmp_path: Path) -> None:
    result = run(
        "ingest",
        written(tmp_path, RUN, "{oops", {"content": ""}, AGAIN),
        "--tenant",
        unmade,
        "--on-error",
        "skip",
    )
    assert result.exit_code == 0
    assert "4 read, 2 remembered, 0 already known, 2 bad" in result.stdout
    assert "line 2: not JSON" in result.stderr
    assert "line 3: no content" in result.stderr
    assert contents(dsn, unmade) == [RUN["content"], AGAIN["content"]]


def test_a_bad_line_stops_the_run_as_asked_and_a_second_run_goes_on_from_there(
    run: Command, dsn: str, unmade: str, tmp_path: Path
) -> None:
    result = run("ingest", written(tmp_path, RUN, "{oops", AGAIN), "--tenant", unmade, "--on-error", "stop")
    assert result.exit_code == 1
    assert "2 read, 1 remembered, 0 already known, 1 bad" in result.stdout
    assert "line 2: not JSON" in result.stderr
    assert contents(dsn, unmade) == [RUN["content"]]
    mended = run("ingest", written(tmp_path, RUN, ONCE_MORE, AGAIN), "--tenant", unmade, "--on-error", "stop")
    assert mended.exit_code == 0
    assert "3 read, 2 remembered, 1 already known, 0 bad" in mended.stdout


def test_what_only_the_database_can_refuse_is_a_bad_line_and_its_batch_is_kept(
    run: Command, dsn: str, unmade: str, tmp_path: Path
) -> None:
    path = written(tmp_path, RUN, {**AGAIN, "idempotency_key": "k" * 1025}, ONCE_MORE)
    result = run("ingest", path, "--tenant", unmade)
    assert result.exit_code == 0
    assert "3 read, 2 remembered, 0 already known, 1 bad" in result.stdout
    assert "line 2: remember: idempotency_key is empty or longer than 1024 bytes" in result.stderr
    assert contents(dsn, unmade) == [RUN["content"], ONCE_MORE["content"]]


def test_a_file_of_nothing_but_bad_lines_is_a_failure(run: Command, tmp_path: Path) -> None:
    result = run("ingest", written(tmp_path, *["{}"] * 25))
    assert result.exit_code == 1
    assert "line 20:" in result.stderr
    assert "... and 5 more" in result.stderr


def test_nul_and_lone_surrogates_are_stored_as_the_replacement_character_and_counted(
    run: Command, dsn: str, unmade: str, tmp_path: Path
) -> None:
    result = run("ingest", written(tmp_path, r'{"content": "a\u0000b"}'), "--tenant", unmade)
    assert "1 had characters PostgreSQL can't store, now U+FFFD" in result.stdout
    assert contents(dsn, unmade) == ["a\ufffdb"]


def test_a_text_of_a_megabyte_is_stored_whole(run: Command, dsn: str, unmade: str, tmp_path: Path) -> None:
    text = " ".join(f"word{number}" for number in range(120_000))
    assert len(text) > 1_000_000
    result = run("ingest", written(tmp_path, {"content": text}), "--tenant", unmade)
    assert "1 folded" in result.stdout
    assert contents(dsn, unmade) == [text]


def test_columns_of_a_csv_are_mapped_and_times_without_a_zone_need_one(
    run: Command, dsn: str, unmade: str, tmp_path: Path
) -> None:
    path = written(tmp_path, "ts,body", "2026-01-04 08:30,Kettle broke", name="table.csv")
    arguments = ["ingest", path, "--tenant", unmade, "--map", "content=body", "--map", "occurred_at=ts"]
    refused = run(*arguments)
    assert refused.exit_code == 1
    assert "line 2: occurred_at '2026-01-04 08:30' has no zone" in refused.stderr
    accepted = run(*arguments, "--timezone", "Europe/Berlin")
    assert accepted.exit_code == 0
    with Memory(dsn, tenant=unmade) as memory:
        [row] = memory.rows("SELECT extract(epoch FROM occurred_at)::bigint AS at FROM cognifold.event")
    assert row["at"] == 1767511800  # 2026-01-04 07:30 UTC


def test_one_tenant_holds_all_sources_unless_each_is_to_have_its_own(
    run: Command, dsn: str, unmade: str, tmp_path: Path
) -> None:
    path = written(tmp_path, {**RUN, "source": "app"}, {**AGAIN, "source": "diary"}, ONCE_MORE)
    together = run("ingest", path, "--tenant", unmade)
    assert f"tenant {unmade}: 3 folded" in together.stdout
    apart = run("ingest", path, "--tenant", f"{unmade}:u", "--tenant-per-source")
    assert apart.exit_code == 0
    assert contents(dsn, f"{unmade}:u:app") == [RUN["content"]]
    assert contents(dsn, f"{unmade}:u:diary") == [AGAIN["content"]]
    assert contents(dsn, f"{unmade}:u") == [ONCE_MORE["content"]]
    assert len(contents(dsn, unmade)) == 3


def test_what_is_not_to_be_folded_waits(run: Command, dsn: str, unmade: str, tmp_path: Path) -> None:
    result = run("ingest", written(tmp_path, RUN), "--tenant", unmade, "--no-fold")
    assert "folded" not in result.stdout
    with Memory(dsn, tenant=unmade) as memory:
        [row] = memory.rows("SELECT fold_state FROM cognifold.event")
        assert row["fold_state"] == "pending"
        assert memory.fold_all() == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--map", "content"], "write FIELD=COLUMN"),
        (["--map", "contnt=body"], "unknown field 'contnt'"),
        (["--timezone", "Mars/Olympus"], "no such zone"),
        (["--format", "xml"], "xml"),
        (["--format", "locomo"], "not a locomo document"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_before_anything_is_stored(
    run: Command, tmp_path: Path, options: list[str], message: str
) -> None:
    result = run("ingest", written(tmp_path, RUN, name="stream.json"), *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.replace("│", " ").split())


def test_a_database_that_is_not_there_is_an_error_of_ours(tmp_path: Path) -> None:
    from cognifold_pg.cli.database import ready_dsn

    with pytest.raises(CognifoldError, match="Cannot connect to the database that --dsn"):
        ready_dsn(f"host={tmp_path} dbname=nowhere")
