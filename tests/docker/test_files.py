"""The images' files are clean, and name only what is there. (What their steps do: `docker/try`.)"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from cognifold_pg.cli import app

REPOSITORY = Path(__file__).parents[2]
DOCKER = REPOSITORY / "docker"
DOCKERFILES = sorted(DOCKER.glob("Dockerfile*"))
SCRIPTS = [*sorted((DOCKER / "steps").iterdir()), DOCKER / "initdb" / "cognifold.sh"]
TOOLS = Path(sys.executable).parent


def instructions(dockerfile: Path, name: str) -> list[str]:
    """The arguments of each such instruction, on one line."""
    text = dockerfile.read_text().replace("\\\n", " ")
    return re.findall(rf"^\s*{name} +(.*)$", text, re.MULTILINE)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text())
    return found


@pytest.mark.parametrize(
    ("tool", "files"), [("hadolint", DOCKERFILES), ("shellcheck", SCRIPTS)], ids=["hadolint", "shellcheck"]
)
def test_the_lint_finds_nothing(tool: str, files: list[Path]) -> None:
    if not (TOOLS / tool).exists():
        pytest.skip(f"{tool} is not installed")
    options = ["--failure-threshold", "warning"] if tool == "hadolint" else []
    ran = subprocess.run([TOOLS / tool, *options, *files], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.name)
def test_each_run_is_a_step_that_is_tried_without_docker(dockerfile: Path) -> None:
    tried = (DOCKER / "try").read_text()
    for command in instructions(dockerfile, "RUN"):
        match = re.fullmatch(r"sh (?:/source/)?(?:docker/|/)steps/([a-z-]+)( .*)?", command)
        assert match, f"{dockerfile.name}: {command}"
        assert (DOCKER / "steps" / match[1]).is_file()
        assert f'STEPS / "{match[1]}"' in tried


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.name)
def test_what_is_copied_is_there(dockerfile: Path) -> None:
    for arguments in instructions(dockerfile, "COPY"):
        if "--from" not in arguments:
            for source in [word for word in arguments.split() if not word.startswith("--")][:-1]:
                assert (REPOSITORY / source).exists(), source


def test_what_compose_builds_mounts_and_keeps_secret_is_there(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        build = service.get("build")
        if build:
            assert (DOCKER / build["context"] / build["dockerfile"]).is_file(), name
        else:
            assert re.fullmatch(r"[a-z/]+:v?[0-9.]+", service["image"]), f"{name} has no version"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose["volumes"] if "/" not in source else (DOCKER / source).is_file(), volume
        assert set(service.get("secrets", [])) <= set(compose["secrets"])
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), f"{name} is open to everybody: {port}"


def test_what_compose_has_cognifold_do_is_a_command_with_such_options(compose: dict[str, Any]) -> None:
    group = get_command(app)
    command, *options = compose["services"]["worker"]["command"]
    found = getattr(group, "commands")[command]  # noqa: B009 - a group's, which the type does not know
    known = {option for parameter in found.params for option in parameter.opts}
    assert {option for option in options if option.startswith("--")} <= known


def test_prometheus_asks_where_the_worker_serves_and_grafana_asks_prometheus(compose: dict[str, Any]) -> None:
    served = compose["services"]["worker"]["command"][-1].rpartition(":")[2]
    scraped = yaml.safe_load((DOCKER / "prometheus.yml").read_text())["scrape_configs"][0]["static_configs"]
    assert scraped == [{"targets": [f"worker:{served}"]}]
    source = yaml.safe_load((DOCKER / "grafana" / "datasources.yaml").read_text())["datasources"][0]
    assert source["type"] == "prometheus"
    assert source["url"] == "http://prometheus:9090"
    dashboard = json.loads((REPOSITORY / "docs" / "monitoring" / "grafana.json").read_text())
    assert {variable["query"] for variable in dashboard["templating"]["list"]} == {source["type"]}
