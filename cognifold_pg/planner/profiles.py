"""Profiles: which parts the instructions have and what they say of a domain, as YAML that anybody can write."""

from __future__ import annotations

import importlib.resources
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from cognifold_pg.planner.errors import PlannerUnavailable
from cognifold_pg.planner.models import OPERATIONS, Annotations

SHIPPED = ("default", "personal", "team", "support", "service_logs", "small")


class Profile(BaseModel):
    """One profile, complete: whatever it extends has been filled in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str
    sections: Annotated[tuple[str, ...], Field(min_length=1)]
    operations: Annotated[tuple[str, ...], Field(min_length=1)]
    annotations: tuple[str, ...]
    kinds: Annotated[tuple[str, ...], Field(min_length=1)]
    leave_out: tuple[str, ...]
    candidates: Annotated[int, Field(ge=0, le=100)]
    context: Annotated[int, Field(ge=0, le=100)]
    node_characters: Annotated[int, Field(ge=20, le=8000)]
    bounded: bool
    enumerate_names: bool
    domain: str
    naming: str

    @field_validator("sections", "operations", "annotations", "kinds")
    @classmethod
    def _known(cls, names: tuple[str, ...], info: Any) -> tuple[str, ...]:
        from cognifold_pg.planner.sections import SECTIONS  # which needs profiles itself

        known = {
            "sections": tuple(SECTIONS),
            "operations": tuple(OPERATIONS),
            "annotations": tuple(Annotations.model_fields),
            "kinds": ("concept", "intent", "time"),
        }[info.field_name]
        for name in names:
            if name not in known:
                raise ValueError(f"{name!r} is none of {', '.join(known)}")
        if len(set(names)) < len(names):
            raise ValueError("a name stands in it twice")
        return names


def load_profile(name: str | Path) -> Profile:
    """A shipped profile by its name, or one of your own by its path (whatever holds a dot or a slash).

    :raises PlannerUnavailable: there is none of that name, or it says something that profiles do not have.
    """
    fields = _fields(name, ())
    try:
        return Profile.model_validate({"name": Path(name).stem, **fields})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise PlannerUnavailable(f"Profile {str(name)!r}: {place}: {first['msg']}.") from error


def _fields(name: str | Path, seen: tuple[str, ...]) -> dict[str, Any]:
    text = str(name)
    if text in seen:
        raise PlannerUnavailable(f"Profile {text!r} extends itself: {' -> '.join((*seen, text))}.")
    try:
        if _is_path(name):
            source = Path(name).expanduser().read_text(encoding="utf-8")
        elif text in SHIPPED:
            folder = importlib.resources.files("cognifold_pg.planner") / "profiles"
            source = (folder / f"{text}.yaml").read_text(encoding="utf-8")
        else:
            raise PlannerUnavailable(
                f"There is no profile {text!r}: use one of {', '.join(SHIPPED)}, or the path of a YAML file."
            )
        fields = yaml.safe_load(source)
    except OSError as error:
        raise PlannerUnavailable(f"The profile {text!r} can't be read: {error.strerror or error}.") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise PlannerUnavailable(f"The profile {text!r} is no YAML: {error}") from error
    if not isinstance(fields, dict) or not all(isinstance(key, str) for key in fields):
        raise PlannerUnavailable(f"The profile {text!r} is not a list of names and values.")
    base = fields.pop("extends", None if text == "default" else "default")
    if base is None:
        return fields
    if _is_path(base):  # as seen from the profile that names it
        base = Path(name).expanduser().parent / Path(base).expanduser()
    return _fields(base, (*seen, text)) | fields


def _is_path(name: str | Path) -> bool:
    return isinstance(name, Path) or any(mark in str(name) for mark in "/\\.")
