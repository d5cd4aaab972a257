"""Webhooks over real HTTP: signed, tried again, given up, and never with a transaction open."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cognifold_pg.client import Memory
from cognifold_pg.errors import InvalidValueError, UnknownConsumerError
from cognifold_pg.webhooks import MissingSecretError, Secrets
from cognifold_pg.workers.delivering import Posting, deliver_consumer, deliver_waiting, webhooks_due
from tests.conftest import Connection, value
from tests.delivery.conftest import open_transactions
from tests.delivery.desk import answer, create, lag, make_intent, make_intents, set_setting
from tests.delivery.receiver import Post, Receiver, drips, fails, hangs
from tests.embedded.servers import eventually
from tests.graph.plans import move_clock, rows

SECRET = "whsec_" + base64.b64encode(b"twenty-four bytes of key").decode()
HERE = Posting(allow_private=True)  # the receiver listens on this machine


@pytest.fixture
def hooked(
    worker_dsn: str, administrator: Memory, receiver: Receiver, desk: Connection, monkeypatch: pytest.MonkeyPatch
) -> Connection:
    """A desk whose consumer ``app`` is posted to the receiver, signed; what fails may be tried again at once."""
    monkeypatch.setenv("COGNIFOLD_WEBHOOK_APP", SECRET)
    create(desk)
    for name, number in (("delivery.retry_delay", 0), ("delivery.timeout", 0.5)):
        set_setting(desk, name, number)
    administrator.set_webhook(
        "app", receiver.url, secret="env:COGNIFOLD_WEBHOOK_APP", headers={"authorization": "Bearer token"}
    )
    return desk


def verified(post: Post, *secrets: bytes) -> bool:
    """As a receiver does it, by the words of the standard: any signature of the list, made with any of its secrets."""
    signed = b".".join([post.headers["webhook-id"].encode(), post.headers["webhook-timestamp"].encode(), post.body])
    made = {base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode() for secret in secrets}
    return any(
        version == "v1" and said in made
        for version, _, said in (part.partition(",") for part in post.headers["webhook-signature"].split(" "))
    )


def waited(event: threading.Event) -> None:
    assert event.wait(30)


def failing_of(connection: Connection) -> list[dict[str, Any]]:
    return rows(
        connection,
        "SELECT position, attempts, state, error, extract(epoch FROM not_before - failed_at)::float8 AS pause "
        "FROM cognifold.delivery ORDER BY position",
    )


def test_what_happens_is_posted_once_signed_and_in_order(
    hooked: Connection, worker_dsn: str, receiver: Receiver, tenant: str
) -> None:
    intent = make_intent(hooked, "Buy a plug")
    answer(hooked, intent, "accept")
    assert (tenant, "app") in webhooks_due(worker_dsn)
    assert deliver_waiting(worker_dsn, HERE) == 2
    assert [post.kind for post in receiver.posts] == ["intent.emitted", "intent.scheduled"]
    post = receiver.posts[0]
    assert post.path == "/hook?of=intents"
    assert post.headers["content-type"] == "application/json" and post.headers["authorization"] == "Bearer token"
    assert verified(post, b"twenty-four bytes of key")
    assert abs(int(post.headers["webhook-timestamp"]) - datetime.now(UTC).timestamp()) < 60
    assert post.said["data"]["title"] == "Buy a plug" and post.said["data"]["tenant"] == tenant
    assert post.headers["webhook-id"] == str(rows(hooked, "SELECT id FROM cognifold.outbox ORDER BY position")[0]["id"])
    assert lag(hooked)["waiting"] == 0
    assert webhooks_due(worker_dsn) == []
    assert deliver_waiting(worker_dsn, HERE) == 0 and len(receiver.posts) == 2


def test_a_verifier_refuses_another_secret_another_body_and_another_time(
    hooked: Connection, worker_dsn: str, receiver: Receiver
) -> None:
    make_intent(hooked)
    deliver_waiting(worker_dsn, HERE)
    [post] = receiver.posts
    assert not verified(post, b"another key")
    assert not verified(Post(post.path, post.headers, post.body + b" "), b"twenty-four bytes of key")
    later = {**post.headers, "webhook-timestamp": str(int(post.headers["webhook-timestamp"]) + 1)}
    assert not verified(Post(post.path, later, post.body), b"twenty-four bytes of key")


def test_while_a_secret_is_being_replaced_both_sign(
    hooked: Connection, worker_dsn: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COGNIFOLD_WEBHOOK_APP", f"plain-new {SECRET}")
    make_intent(hooked)
    deliver_waiting(worker_dsn, HERE)
    assert verified(receiver.posts[0], b"plain-new") and verified(receiver.posts[0], b"twenty-four bytes of key")


def test_a_secret_may_lie_in_a_file_and_no_other_file_is_read(
    administrator: Memory, hooked: Connection, worker_dsn: str, receiver: Receiver, tmp_path: Path
) -> None:
    (tmp_path / "app.key").write_text("from a file\n".replace(" ", "-"))
    administrator.set_webhook("app", receiver.url, secret="file:app.key")
    make_intent(hooked)
    deliver_waiting(worker_dsn, Posting(True, Secrets(tmp_path)))
    assert verified(receiver.posts[0], b"from-a-file")
    for place in ("file:../etc/passwd", "file:/etc/passwd", "env:PGPASSWORD", "a secret itself"):
        with pytest.raises(InvalidValueError, match="secret does not say where"):
            administrator.set_webhook("app", receiver.url, secret=place)


def test_a_prefix_alone_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGNIFOLD_WEBHOOK_APP", f"{SECRET} whsec_")
    with pytest.raises(MissingSecretError, match="nothing follows whsec_"):
        Secrets().find("env:COGNIFOLD_WEBHOOK_APP")


def test_where_the_secret_is_missing_nothing_is_posted_and_no_attempt_is_charged(
    hooked: Connection, worker_dsn: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COGNIFOLD_WEBHOOK_APP")
    make_intent(hooked)
    assert deliver_waiting(worker_dsn, HERE) == 0
    assert receiver.posts == [] and failing_of(hooked) == []


def test_one_that_fails_is_posted_again_with_the_same_id_and_what_follows_waits_for_it(
    hooked: Connection, worker_dsn: str, receiver: Receiver
) -> None:
    receiver.will(fails(500, "out of order"))
    intent = make_intent(hooked)
    answer(hooked, intent, "accept")
    assert deliver_consumer(worker_dsn, value(hooked, "SELECT cognifold.required_tenant()"), "app", HERE) == 2
    assert [post.kind for post in receiver.posts] == ["intent.emitted", "intent.emitted", "intent.scheduled"]
    assert receiver.posts[0].headers["webhook-id"] == receiver.posts[1].headers["webhook-id"]
    assert receiver.posts[0].body == receiver.posts[1].body


@pytest.mark.parametrize("status", [400, 404, 500, 503])
def test_what_failed_waits_with_its_reason_and_the_others_go_on(
    hooked: Connection, worker_dsn: str, receiver: Receiver, status: int
) -> None:
    set_setting(hooked, "delivery.retry_delay", 1000)
    set_setting(hooked, "delivery.jitter", 0)
    receiver.will(fails(status, "out of order"))
    make_intents(hooked, "one", "two")
    assert deliver_waiting(worker_dsn, HERE) == 1
    [left] = failing_of(hooked)
    assert (left["position"], left["attempts"], left["state"]) == (1, 1, "ready")
    assert left["error"] == f"HTTP {status}: out of order" and left["pause"] == pytest.approx(1000, abs=1)


@pytest.mark.parametrize("silence", [hangs, drips])
def test_one_that_does_not_answer_in_time_is_tried_again_and_the_others_are_not_charged(
    hooked: Connection, worker_dsn: str, receiver: Receiver, silence: Callable[[], Any]
) -> None:
    set_setting(hooked, "delivery.retry_delay", 1000)
    receiver.will(silence())
    make_intents(hooked, "one", "two", "three")
    assert deliver_waiting(worker_dsn, HERE) == 0
    assert len(receiver.posts) == 1
    left = failing_of(hooked)
    assert [(row["attempts"], row["error"]) for row in left] == [(1, "no answer within 0.5 s"), (0, None), (0, None)]
    assert deliver_waiting(worker_dsn, HERE) == 2


def test_a_pause_that_the_receiver_asks_for_is_kept(hooked: Connection, worker_dsn: str, receiver: Receiver) -> None:
    in_an_hour = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    receiver.will(fails(429, Retry_After="120"), fails(503, Retry_After=in_an_hour))
    make_intents(hooked, "one", "two", "three")
    assert deliver_waiting(worker_dsn, HERE) == 0  # it asked for peace: nothing else is sent in this turn
    assert deliver_waiting(worker_dsn, HERE) == 0
    left = failing_of(hooked)
    assert left[0]["pause"] == pytest.approx(120, abs=1) and left[1]["pause"] <= 3600 + 1
    assert [row["attempts"] for row in left] == [1, 1, 0]


@pytest.mark.parametrize("asked", ["0", "-5", "Mon, 02 Mar 2026 09:00:00 GMT", "soon"])
def test_who_asks_for_no_pause_gets_the_usual_one(
    hooked: Connection, worker_dsn: str, receiver: Receiver, asked: str
) -> None:
    set_setting(hooked, "delivery.retry_delay", 600)
    set_setting(hooked, "delivery.jitter", 0)
    receiver.will(fails(503, Retry_After=asked))
    make_intent(hooked)
    assert deliver_waiting(worker_dsn, HERE) == 0
    assert [(row["attempts"], row["pause"]) for row in failing_of(hooked)] == [(1, pytest.approx(600, abs=1))]


def test_why_a_post_failed_is_said_on_one_line(
    hooked: Connection, worker_dsn: str, receiver: Receiver, tenant: str, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.will(fails(500, "out of\nWARNING order\0"))
    make_intent(hooked)
    deliver_waiting(worker_dsn, HERE)
    assert f"tenant {tenant}, consumer app: delivery 1 failed: HTTP 500: out of WARNING order" in caplog.text


def test_a_receiver_that_is_gone_is_never_posted_to_again(
    hooked: Connection, worker_dsn: str, receiver: Receiver, memory: Memory
) -> None:
    receiver.will(fails(410, "moved out"))
    make_intents(hooked, "one", "two")
    assert deliver_waiting(worker_dsn, HERE) == 0
    assert len(receiver.posts) == 1
    assert lag(hooked)["disabled_reason"] == "its webhook answered 410 Gone: HTTP 410: moved out"
    assert [row["attempts"] for row in failing_of(hooked)] == [0, 0]
    assert deliver_waiting(worker_dsn, HERE) == 0 and len(receiver.posts) == 1
    memory.enable_consumer("app")
    assert deliver_waiting(worker_dsn, HERE) == 2


def test_given_up_it_is_a_dead_letter_that_can_be_sent_again(
    hooked: Connection, worker_dsn: str, receiver: Receiver, memory: Memory
) -> None:
    set_setting(hooked, "delivery.attempts", 3)
    receiver.will(*[fails(500)] * 3)
    make_intent(hooked)
    deliver_waiting(worker_dsn, HERE)
    [dead] = rows(hooked, "SELECT attempts, error FROM cognifold.dead_deliveries")
    assert dead == {"attempts": 3, "error": "HTTP 500"} and len(receiver.posts) == 3
    assert memory.redeliver("app") == 1
    assert deliver_waiting(worker_dsn, HERE) == 1


def test_a_redirect_is_not_followed(hooked: Connection, worker_dsn: str, receiver: Receiver) -> None:
    set_setting(hooked, "delivery.retry_delay", 1000)
    receiver.will(fails(302, Location=receiver.url))
    make_intent(hooked)
    assert deliver_waiting(worker_dsn, HERE) == 0
    assert len(receiver.posts) == 1
    assert "which is not followed" in failing_of(hooked)[0]["error"]


def test_nothing_is_posted_to_a_private_address_unless_the_worker_may(
    hooked: Connection, worker_dsn: str, receiver: Receiver
) -> None:
    set_setting(hooked, "delivery.retry_delay", 1000)
    make_intent(hooked)
    assert deliver_waiting(worker_dsn, Posting()) == 0
    assert receiver.posts == []
    assert "127.0.0.1, which is no public address" in failing_of(hooked)[0]["error"]


def test_no_transaction_is_open_while_it_posts(
    hooked: Connection, worker_dsn: str, receiver: Receiver, admin: Connection
) -> None:
    opened: list[int] = []
    receiver.on_post = lambda post: opened.append(open_transactions(admin))
    make_intents(hooked, "one", "two")
    assert deliver_waiting(worker_dsn, HERE) == 2
    assert opened == [0, 0]


def test_what_the_clock_did_is_posted_without_anybody_else_looking(
    hooked: Connection, worker_dsn: str, receiver: Receiver
) -> None:
    """The worker's clock is the present, which is years after this intent's waking."""
    intent = make_intent(hooked)
    answer(hooked, intent, "defer", "2026-03-05T12:00:00+00:00")
    deliver_waiting(worker_dsn, HERE)
    assert [post.kind for post in receiver.posts] == ["intent.emitted", "intent.deferred", "intent.woken"]


def test_a_webhook_that_hangs_keeps_no_other_waiting(
    hooked: Connection, administrator: Memory, worker_dsn: str, receiver: Receiver
) -> None:
    with Receiver() as slow:
        release = threading.Event()
        slow.on_post = lambda post: waited(release)
        set_setting(hooked, "delivery.timeout", 20)
        create(hooked, "slow")
        administrator.set_webhook("slow", slow.url)
        make_intents(hooked, *(f"intent {number}" for number in range(8)))
        posting = threading.Thread(target=deliver_waiting, args=[worker_dsn, HERE])
        posting.start()
        eventually(lambda: len(receiver.posts) == 8)
        assert slow.posts == []  # it has not even answered the first
        release.set()
        posting.join()
        assert len(slow.posts) == 8
        assert "webhook-signature" not in slow.posts[0].headers  # it has no secret


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("ftp://example.com/", {}),
        ("file:///etc/passwd", {}),
        ("https://user:password@example.com/", {}),
        ("https://example.com/a b", {}),
        ("https://example.com/\r\nx: y", {}),
        ("https://", {}),
        ("https://example.com/#part", {}),
        ("http://[::1", {}),
        ("http://[]/", {}),
        ("http://a]b/", {}),
        ("http://example.com:0/", {}),
        ("http://example.com:65536/", {}),
        ("http://example.com:http/", {}),
        ("http://example.com\\@internal/", {}),
        ("https://example.com/", {"Content-Encoding": "gzip"}),
        ("https://example.com/", {"webhook-id": "mine"}),
        ("https://example.com/", {"Host": "internal"}),
        ("https://example.com/", {"x": "a\r\ny: b"}),
        ("https://example.com/", {"x:y": "a"}),
    ],
)
def test_an_address_or_header_that_could_lead_astray_is_refused(
    administrator: Memory, url: str, headers: dict[str, str]
) -> None:
    administrator.create_consumer("app")
    with pytest.raises(InvalidValueError, match="set_webhook"):
        administrator.set_webhook("app", url, headers=headers)
    with pytest.raises(UnknownConsumerError):
        administrator.set_webhook("nobody", "https://example.com/")


def test_without_its_webhook_a_consumer_is_not_posted_to(
    administrator: Memory, hooked: Connection, worker_dsn: str, receiver: Receiver
) -> None:
    administrator.set_webhook("app", None)
    make_intent(hooked)
    assert deliver_waiting(worker_dsn, HERE) == 0
    assert receiver.posts == [] and lag(hooked)["waiting"] == 1


def command(dsn: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cognifold_pg", "deliver", "--allow-private", "--dsn", dsn, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_the_command_posts_what_waits_and_says_how_much(
    hooked: Connection, worker_dsn: str, receiver: Receiver, tenant: str
) -> None:
    make_intents(hooked, "one", "two", "three")
    out, errors = command(worker_dsn, "--once", "--tenant", tenant, "--consumer", "app").communicate()
    assert (out.strip(), errors) == ("3 delivered", "")
    assert len(receiver.posts) == 3
    _, errors = command(worker_dsn, "--once", "--tenant", tenant).communicate()
    assert "--tenant and --consumer go together" in errors


def test_the_worker_that_does_it_all_posts_too(
    hooked: Connection, worker_dsn: str, receiver: Receiver, admin: Connection
) -> None:
    admin.execute("DELETE FROM cognifold.work")  # what other tests have left takes its time
    make_intents(hooked, "one")
    worker = subprocess.Popen(
        [sys.executable, "-m", "cognifold_pg", "worker", "--allow-private", "--every", "0.05", "--dsn", worker_dsn],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        eventually(lambda: len(receiver.posts) == 1)
        make_intents(hooked, "two")
        eventually(lambda: len(receiver.posts) == 2)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(timeout=60) == 0
    finally:
        worker.kill()


def test_a_message_has_a_tenants_webhooks_posted_to(
    hooked: Connection, worker_dsn: str, receiver: Receiver, tenant: str
) -> None:
    pytest.importorskip("dramatiq", reason="dramatiq is not installed (extra workers)")
    from dramatiq.brokers.stub import StubBroker

    from cognifold_pg.workers.actors import make_actors, sweep
    from tests.workers.working import working

    broker = StubBroker()
    actors = make_actors(broker, worker_dsn, posting=Posting(allow_private=True))
    make_intents(hooked, "one")
    sweep(worker_dsn, actors)
    with working(broker):
        broker.join(actors["deliver"].queue_name)
    assert len(receiver.posts) == 1


def test_told_to_stop_a_worker_finishes_the_post_in_hand_and_gives_back_the_rest(
    hooked: Connection, worker_dsn: str, receiver: Receiver, tenant: str
) -> None:
    stopping = threading.Event()
    receiver.on_post = lambda post: stopping.set()
    make_intents(hooked, "one", "two", "three")
    assert deliver_consumer(worker_dsn, tenant, "app", HERE, stopping) == 1
    assert len(receiver.posts) == 1
    left = failing_of(hooked)
    assert [(row["position"], row["attempts"]) for row in left] == [(2, 0), (3, 0)]
    assert lag(hooked)["leased"] == 0


def test_sigterm_ends_the_command_with_nothing_under_a_lease(
    hooked: Connection, worker_dsn: str, receiver: Receiver
) -> None:
    set_setting(hooked, "delivery.timeout", 30)
    release = threading.Event()
    receiver.on_post = lambda post: waited(release)
    make_intents(hooked, "one", "two", "three")
    running = command(worker_dsn, "--every", "0.05")
    eventually(lambda: lag(hooked)["leased"] == 3)
    running.send_signal(signal.SIGTERM)
    release.set()
    assert running.wait(30) == 0
    running.communicate()
    assert len(receiver.posts) >= 1
    left = failing_of(hooked)
    assert len(left) == 3 - len(receiver.posts) and all(row["attempts"] == 0 for row in left)
    assert lag(hooked)["leased"] == 0


def test_a_worker_that_is_killed_leaves_its_deliveries_to_the_next(
    hooked: Connection, worker_dsn: str, receiver: Receiver, admin: Connection, tenant: str
) -> None:
    receiver.will(hangs())
    set_setting(hooked, "delivery.timeout", 30)
    make_intents(hooked, "one", "two")
    running = command(worker_dsn, "--every", "0.05")
    eventually(lambda: len(receiver.posts) == 1)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    assert deliver_waiting(worker_dsn, HERE) == 0  # under its lease still
    admin.execute("UPDATE cognifold.delivery SET lease_until = now() WHERE tenant_id = %s", [tenant])  # which lapses
    assert deliver_waiting(worker_dsn, HERE) == 2
    assert receiver.posts[0].headers["webhook-id"] == receiver.posts[1].headers["webhook-id"]


def test_the_doorbell_wakes_who_waits(dsn: str, desk: Connection) -> None:
    from cognifold_pg.delivery import Doorbell

    with Doorbell(dsn) as bell:
        make_intent(desk)
        assert bell.wait(30)
        bell.wait(0)
        set_setting(desk, "delivery.notify", 0)
        make_intent(desk, "silently")
        assert not bell.wait(0.01)


def test_a_moved_clock_does_not_move_leases(hooked: Connection) -> None:
    """Leases and pauses are of the wall clock, whatever the memory's clock says."""
    move_clock(hooked, "2030-01-01T00:00:00+00:00")
    make_intent(hooked)
    [row] = rows(hooked, "SELECT * FROM cognifold.take_deliveries('app')")
    lease = value(hooked, "SELECT lease_until - clock_timestamp() FROM cognifold.delivery")
    assert timedelta(0) < lease <= timedelta(minutes=1) and row["attempt"] == 1


def test_a_plain_writer_may_not_say_where_workers_post(memory: Memory) -> None:
    memory.create_consumer("app")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        memory.set_webhook("app", "https://example.com/")
