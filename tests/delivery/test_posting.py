"""What is signed how, and which addresses are public."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path

import pytest

from cognifold_pg.webhooks import is_public, post, signature
from tests.delivery.receiver import Receiver


def test_the_signature_is_that_of_the_standards_own_example() -> None:
    """The worked example of the Standard Webhooks specification's libraries."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    body = b'{"test": 2432232314}'
    made = signature([secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::",
        "::7f00:1", "::ffff:0:7f00:1", "64:ff9b:1::7f00:1", "fec0::1", "2001:0:7f00:1::", "192.0.0.8", "192.88.99.1",
    ],
)  # fmt: skip
def test_an_address_of_a_private_network_is_not_public_however_it_is_written(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::"]
)
def test_others_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]:9/", "http://2130706433:9/", "http://0x7f.1:9/"],
)
def test_a_private_host_is_refused_before_anything_is_sent_however_it_is_written(url: str) -> None:
    reply = post(url, b"{}", message_id="1", timeout=1)
    assert reply.status is None and not reply.ok
    assert "no public address" in reply.reason or "gaierror" in reply.reason


@pytest.mark.parametrize("url", ["http://[::1", "http://[]/", "http://host:99999/", "http://" + "a" * 64 + ".com/"])
def test_an_address_that_cannot_be_read_is_no_answer_and_no_error(url: str) -> None:
    assert post(url, b"{}", message_id="1", timeout=1).status is None


def test_a_header_is_sent_once_whatever_its_letters() -> None:
    with Receiver() as receiver:
        sent = {"User-Agent": "ours", "X-Key": "k"}
        assert post(receiver.url, b"{}", message_id="1", headers=sent, allow_private=True).ok
        assert receiver.agents == [["ours"]]


def test_another_scheme_is_not_posted_to() -> None:
    assert "only http and https" in post("ftp://example.com/", b"{}", message_id="1").reason


needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")


@needs_openssl
def test_https_is_posted_to_whom_a_certificate_vouches_for_and_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    with Receiver(certificate, key) as receiver:
        there = receiver.url.replace("http://127.0.0.1", "https://localhost")
        reply = post(there, b"{}", message_id="1", allow_private=True)
        assert "CERTIFICATE_VERIFY_FAILED" in reply.reason and receiver.posts == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert post(there, b"{}", message_id="2", allow_private=True).ok
        by_address = receiver.url.replace("http://", "https://")
        assert "CERTIFICATE_VERIFY_FAILED" in post(by_address, b"{}", message_id="3", allow_private=True).reason
        assert [got.headers["webhook-id"] for got in receiver.posts] == ["2"]
        assert receiver.posts[0].headers["host"].startswith("localhost:")
