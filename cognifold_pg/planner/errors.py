"""Why a planner has no plan to offer. Each class is one decision for the caller: wait, try again, or fall back."""

from __future__ import annotations

from cognifold_pg.errors import CognifoldError


class PlannerError(CognifoldError):
    """The planner proposed nothing; the message says why.

    :ivar calls: model calls that were made all the same; they are paid for.
    :ivar prompt_tokens: prompt tokens of those calls, as the server counted them.
    :ivar completion_tokens: answer tokens of those calls, as the server counted them.
    """

    transient = False  # True: the same request may succeed later, without any change

    def __init__(self, message: str, *, calls: int = 0, prompt_tokens: int = 0, completion_tokens: int = 0) -> None:
        super().__init__(message)
        self.calls = calls
        self.prompt_tokens = prompt_tokens
        self.completion_tokens = completion_tokens


class RateLimited(PlannerError):
    """The server said 429 more often than the retries allow, or asks for a longer wait than the deadline leaves.

    :ivar retry_after: seconds the server asks to wait, None where it does not say.
    """

    transient = True

    def __init__(
        self,
        message: str,
        retry_after: float | None = None,
        *,
        calls: int = 0,
        prompt_tokens: int = 0,
        completion_tokens: int = 0,
    ) -> None:
        super().__init__(message, calls=calls, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
        self.retry_after = retry_after


class ModelUnreachable(PlannerError):
    """Timeouts, 5xx or cut connections until the retries or the deadline were used up."""

    transient = True


class ModelRefused(PlannerError):
    """The model or its server will not do it, now or later: a refusal, a wrong key, an unknown model."""


class MalformedAnswer(PlannerError):
    """The answer is no valid plan, and its one repair is none either."""


class BudgetExceeded(PlannerError):
    """The events do not fit the token budget even when trimmed, or the calls allowed are used up."""


class PlannerUnavailable(PlannerError):
    """The planner cannot run here: a package, the model's name or a profile is missing."""
