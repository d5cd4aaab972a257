"""Post to a webhook, signed, and without being led astray; and what its answer means.

Names and form are those of Standard Webhooks (https://www.standardwebhooks.com): a receiver verifies with any of its
libraries. ``webhook-signature`` is ``v1,`` and the base64 of HMAC-SHA256 over ``id.timestamp.body``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import ipaddress
import math
import os
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

from cognifold_pg.errors import CognifoldError

# So much of an answer's body is read, for the reason of a failure.
_READ = 300

_PREFIX = "whsec_"

# Of IPv6 all that may be public, and the prefix that holds an IPv4 address.
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

# What some versions of Python's ipaddress call global, and the registries of special addresses do not.
_RESERVED = (ipaddress.ip_network("192.0.0.0/24"), ipaddress.ip_network("192.88.99.0/24"))


class MissingSecretError(CognifoldError):
    """The secret of a webhook is not where it was said to be."""


class RefusedAddressError(CognifoldError):
    """The webhook's host is, or resolves to, an address of a private network."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a post: ``status`` is None where no answer came; ``retry_after`` in seconds, as asked for."""

    status: int | None
    reason: str = ""
    retry_after: float | None = None

    @property
    def ok(self) -> bool:
        """Whether the receiver has it."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Whether the receiver wants no more, ever (410)."""
        return self.status == 410

    @property
    def answered(self) -> bool:
        """Whether there is a receiver at all."""
        return self.status is not None


@dataclass(frozen=True, slots=True)
class Secrets:
    """Where the worker looks for signing secrets: its environment, and one folder."""

    folder: Path | None = None

    def find(self, place: str | None) -> Sequence[bytes]:
        """The secrets that ``env:NAME`` or ``file:NAME`` stands for; several, apart by white space, while one is
        replaced by another. Each is ``whsec_`` and base64, or its bytes as they stand.
        """
        if place is None:
            return ()
        kind, _, name = place.partition(":")
        if kind == "env":
            text = os.environ.get(name, "")
        elif self.folder is None:
            raise MissingSecretError(f"{place}: this worker has no folder of secrets. Name it with --secrets.")
        else:
            try:
                text = (self.folder / Path(name).name).read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise MissingSecretError(f"{place}: {error}") from error
        if not text.split():
            raise MissingSecretError(f"{place} is not set, or empty.")
        return [_key(place, word) for word in text.split()]


def _key(place: str, word: str) -> bytes:
    if not word.startswith(_PREFIX):
        return word.encode()
    try:
        key = base64.b64decode(word.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise MissingSecretError(f"{place}: what follows {_PREFIX} is no base64.") from None
    if not key:  # anybody can sign with nothing
        raise MissingSecretError(f"{place}: nothing follows {_PREFIX}.")
    return key


def signature(secrets: Sequence[bytes], message_id: str, timestamp: int, body: bytes) -> str:
    """The value of ``webhook-signature``: one signature a secret, the receiver needs to know one of them."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(
        "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode() for secret in secrets
    )


def post(
    url: str,
    body: bytes,
    *,
    message_id: str,
    secrets: Sequence[bytes] = (),
    headers: Mapping[str, str] | None = None,
    timeout: float = 10.0,
    allow_private: bool = False,
) -> Reply:
    """Post ``body`` once. No redirect is followed and no proxy asked; within ``timeout`` seconds, or not at all."""
    timestamp = int(time.time())
    sent = {
        **{name.lower(): value for name, value in (headers or {}).items()},
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "connection": "close",
    }
    sent.setdefault("user-agent", "cognifold-webhooks/1")
    if secrets:
        sent["webhook-signature"] = signature(secrets, message_id, timestamp, body)
    deadline = time.monotonic() + timeout
    try:
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection = _connect(url, deadline, allow_private)
    except (OSError, ValueError, RefusedAddressError) as error:
        return Reply(None, f"{type(error).__name__}: {error}")
    # One byte now and then keeps every single read within its timeout: this ends the whole.
    late = threading.Event()
    ending = threading.Timer(max(deadline - time.monotonic(), 0), _shut, [connection, late])
    ending.daemon = True
    ending.start()
    try:
        connection.request("POST", target, body, sent)
        answer = connection.getresponse()
        said = answer.read(_READ).decode("utf-8", "replace").strip()
        if 300 <= answer.status < 400:
            said = f"redirects to {answer.getheader('location')!r}, which is not followed"
        reason = f"HTTP {answer.status}" + (f": {said}" if said else "")
        return Reply(answer.status, reason, _retry_after(answer.getheader("retry-after")))
    except (OSError, ValueError, http.client.HTTPException) as error:
        is_late = isinstance(error, TimeoutError) or late.is_set()
        return Reply(None, f"no answer within {timeout:g} s" if is_late else f"{type(error).__name__}: {error}")
    finally:
        ending.cancel()
        connection.close()


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that has been looked at: a name that resolves anew cannot lead elsewhere."""

    def __init__(self, host: str, port: int, timeout: float, address: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(host, port, timeout=timeout)
        self._address = address
        self._tls = tls
        if tls is not None:
            self.default_port = 443  # else the header Host would name it

    def connect(self) -> None:
        raw = socket.create_connection((self._address, self.port), self.timeout)
        self.sock = raw if self._tls is None else self._tls.wrap_socket(raw, server_hostname=self.host)


def _connect(url: str, deadline: float, allow_private: bool) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("only http and https are posted to")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    tls = ssl.create_default_context() if parts.scheme == "https" else None
    found = [str(entry[4][0]) for entry in socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)]
    if not allow_private:
        for address in found:
            if not is_public(address):
                raise RefusedAddressError(
                    f"{parts.hostname} is at {address}, which is no public address. "
                    "A worker started with --allow-private posts there."
                )
    failure: OSError | None = None
    for address in found:
        connection = _Pinned(parts.hostname, port, max(deadline - time.monotonic(), 0.001), address, tls)
        try:
            connection.connect()
        except OSError as error:
            failure = error
            connection.close()
        else:
            return connection
    raise failure or OSError(f"{parts.hostname} has no address")


def is_public(address: str) -> bool:
    """Whether an address, or the IPv4 address within one of IPv6, is of the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if any(ip in network for network in _RESERVED):
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        within = ip.ipv4_mapped or ip.sixtofour
        if within is None and ip in _NAT64:
            within = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if within is not None:
            return is_public(str(within))
        if ip not in _GLOBAL_UNICAST:
            return False
    return ip.is_global and not ip.is_multicast


def _shut(connection: http.client.HTTPConnection, late: threading.Event) -> None:
    late.set()
    sock = connection.sock
    if sock is not None:
        with suppress(OSError):  # it has ended by itself
            sock.shutdown(socket.SHUT_RDWR)


def _retry_after(value: str | None) -> float | None:
    """Seconds, from a number of them or a date; None for anything else, and for a time that is past: who asks for no
    pause gets the usual one, or a receiver in trouble would have all attempts used up at once.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return seconds if math.isfinite(seconds) and seconds > 0 else None
