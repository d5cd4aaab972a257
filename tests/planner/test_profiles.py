"""Profiles as people write them, and a planner as the environment names it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cognifold_pg.errors import InvalidValueError
from cognifold_pg.planner import LanguagePlanner, PlannerUnavailable
from cognifold_pg.planner.profiles import SHIPPED, load_profile


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_profile_is_complete(name: str) -> None:
    profile = load_profile(name)
    assert profile.name == name
    assert profile.description
    assert profile.naming
    if name not in ("default", "small"):
        assert profile.domain != load_profile("default").domain


def test_ones_own_profile_says_only_what_it_changes(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("extends: support\ncontext: 3\n")
    (tmp_path / "dental.yaml").write_text("extends: ./base.yaml\ndomain: Teeth.\n")
    profile = load_profile(tmp_path / "dental.yaml")
    assert (profile.name, profile.domain, profile.context) == ("dental", "Teeth.", 3)
    assert profile.naming == load_profile("support").naming
    assert load_profile(str(tmp_path / "dental.yaml")) == profile


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("sections: [role, poem]", "'poem' is none of role, data"),
        ("operations: [DROP]", "'DROP' is none of ADD_NODE"),
        ("operations: []", "operations: Tuple should have at least 1 item"),
        ("kinds: [event]", "'event' is none of concept, intent, time"),
        ("annotations: [causes, causes]", "stands in it twice"),
        ("context: many", "context: Input should be a valid integer"),
        ("colour: red", "colour: Extra inputs are not permitted"),
        ("- a list", "is not a list of names and values"),
        ("a: [", "is no YAML"),
        ("extends: ./mine.yaml", "extends itself"),
        ("extends: nothing", "There is no profile 'nothing': use one of default, personal"),
    ],
)
def test_a_profile_with_a_slip_of_the_pen_is_refused_by_name(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(PlannerUnavailable) as error:
        load_profile(path)
    assert problem in str(error.value)


def test_a_profile_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(PlannerUnavailable, match="can't be read: No such file"):
        LanguagePlanner("m", profile=tmp_path / "none.yaml")


def test_the_environment_names_a_planner() -> None:
    planner = LanguagePlanner.from_environment(
        {
            "COGNIFOLD_LLM_MODEL": "qwen",
            "COGNIFOLD_LLM_BASE_URL": " http://localhost:1/v1\n",
            "COGNIFOLD_LLM_API_KEY": "sk-from-a-file\n",
            "COGNIFOLD_LLM_PROFILE": "team",
            "COGNIFOLD_LLM_TIMEOUT": "12.5",
        }
    )
    assert (planner.model, planner.profile.name) == ("qwen", "team")


@pytest.mark.parametrize(
    ("environment", "problem"),
    [
        ({}, "set COGNIFOLD_LLM_MODEL"),
        ({"COGNIFOLD_LLM_MODEL": "m", "COGNIFOLD_LLM_TIMEOUT": "soon"}, "COGNIFOLD_LLM_TIMEOUT is 'soon'"),
        ({"COGNIFOLD_LLM_MODEL": "m", "COGNIFOLD_LLM_TIMEOUT": "nan"}, "COGNIFOLD_LLM_TIMEOUT is 'nan'"),
    ],
)
def test_an_environment_that_names_none_is_told(environment: dict[str, str], problem: str) -> None:
    with pytest.raises(PlannerUnavailable, match=problem):
        LanguagePlanner.from_environment(environment)


def test_arguments_out_of_range_are_refused() -> None:
    for options in ({"timeout": 0}, {"deadline": -1}, {"retries": -1}):
        with pytest.raises(InvalidValueError):
            LanguagePlanner("m", **options)  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="name of a model"):
        LanguagePlanner(" ")
    for address in ("localhost:8080", "http://", "ftp://x"):
        with pytest.raises(InvalidValueError, match="base_url is"):
            LanguagePlanner("m", address)
    for key in ("", "sk secret", "sk-secret\n", "schlüssel"):
        with pytest.raises(InvalidValueError) as error:
            LanguagePlanner("m", api_key=key)
        assert "secret" not in str(error.value)


def test_without_a_key_for_openai_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.planner.conftest import fold_request

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(PlannerUnavailable, match="set COGNIFOLD_LLM_API_KEY"):
        LanguagePlanner("gpt").propose(fold_request())


@pytest.mark.parametrize("package", ["openai", "pydantic", "yaml"])
def test_the_core_needs_none_of_the_extra_and_says_which_extra_the_planner_needs(package: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None  # as if it were not installed
import cognifold_pg.client
from cognifold_pg import planner
assert planner.FoldRequest and planner.Budget
try:
    planner.LanguagePlanner
except planner.PlannerUnavailable as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        run.stdout == f"The package {package} is not installed. Install the extra: pip install 'cognifold-pg[llm]'.\n"
    )
