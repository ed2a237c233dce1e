"""The REST client for one caller and their tokens. Calls block; from asyncio, call it in a thread
(`asyncio.to_thread(rest.take_seat, "desert")`).

Thread-safe.
"""

from __future__ import annotations

import os
import pathlib
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol, Unpack
from urllib.parse import quote

import requests
from requests.adapters import HTTPAdapter

from .operations import Operations
from .schemas import GuestRequest, Problem, Session, TokenSession

BOT_TOKEN = "rbt_"  # prefix of a bot token
RENEW_BEFORE_S = 60  # an access token is renewed when it expires sooner than this
LINE_AGAIN_S = 0.5
# a connection that was idle for longer is not reused, because the server closes it after 15 s, possibly at
# this moment
IDLE_S_MAX = 10
TIMEOUT_S = 30
LOST = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)


class ApiError(Exception):
    """A problem response, with `code`, `status`, and the whole body as `problem`. If there was no response,
    the code is `unreachable` and the status is 0."""

    def __init__(self, problem: Problem | dict[str, Any], status: int):
        self.code = problem.get("code", "unreachable")
        super().__init__(f"{self.code}: {problem.get('detail') or problem.get('title') or 'no answer'}")
        self.problem, self.status = problem, status


class Saved(Protocol):
    """Stores a refresh token between two runs of a program."""

    def load(self) -> str | None: ...
    def save(self, refresh_token: str | None) -> None:
        """None: the session is over, so delete it."""


class SessionFile:
    """Stores the session in a file that only its owner can read. Only one program may use it at a time,
    because a refresh token can be used only once."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = pathlib.Path(path)

    def load(self) -> str | None:
        try:
            return self.path.read_text(encoding="ascii").strip() or None
        except FileNotFoundError:
            return None

    def save(self, refresh_token: str | None) -> None:
        if refresh_token is None:
            self.path.unlink(missing_ok=True)
            return
        # Written completely or not at all, because the token works only once.
        new = self.path.with_name(self.path.name + ".new")
        new.unlink(missing_ok=True)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(refresh_token + "\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)


class Http:
    """A server, and the tokens for requests to it."""

    def __init__(self, url: str, token: str | None = None, saved: Saved | None = None):
        """token: the token of a bot account (`rbt_…`), or an access token. Without one, enter as a guest or
        sign in. saved: where the session is stored between runs, such as a `SessionFile`."""
        self.url = url.rstrip("/")
        self.http = requests.Session()
        self.bot_token = token if token and token.startswith(BOT_TOKEN) else None
        self.token = None if self.bot_token else token
        self.refresh_token: str | None = None
        self.renew_at: float | None = 0.0 if self.bot_token else None  # time.monotonic()
        self.saved = None if token else saved
        if self.saved:
            self.refresh_token = self.saved.load()
            self.renew_at = 0.0 if self.refresh_token else None
        self.sent_at = time.monotonic()  # time of the last request

    def send(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: dict[str, str | None] | None = None,
        **more: Any,
    ) -> requests.Response:
        """Sends one raw request and returns its response, whatever its status."""
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None:
            more["json"] = body
        if time.monotonic() - self.sent_at > IDLE_S_MAX:
            for scheme in list(self.http.adapters):
                self.http.mount(scheme, HTTPAdapter())
        self.sent_at = time.monotonic()
        return self.http.request(
            method,
            self.url + path,
            headers={**sent, **(headers or {})},
            timeout=TIMEOUT_S,
            allow_redirects=False,
            **more,
        )

    def keep(self, session: Session) -> Session:
        """Uses this session for all further requests and stores it in `saved`."""
        self.bot_token, self.refresh_token = None, session["refresh_token"]
        self._bear(session)
        if self.saved:
            self.saved.save(self.refresh_token)
        return session

    def drop(self) -> None:
        """Forgets the session."""
        self.token = self.refresh_token = self.renew_at = None
        if self.saved:
            self.saved.save(None)

    @property
    def signed_in(self) -> bool:
        """Whether there is a token of a session or a bot account, or a given access token. It may no longer
        be valid."""
        return bool(self.token or self.refresh_token or self.bot_token)

    def _bear(self, session: Session | TokenSession) -> None:
        self.token = session["access_token"]
        self.renew_at = time.monotonic() + session["expires_in"] - RENEW_BEFORE_S


class Rest(Http, Operations):
    """Every operation of the contract as a method, following the server's rules for clients: it refreshes
    tokens in time, waits after 429 and 503 as long as `Retry-After` requires, and retries requests without
    a response if they are safe to repeat."""

    def __init__(
        self, url: str, token: str | None = None, patience_s: float = 60, saved: Saved | None = None
    ):
        """patience_s: total time for retries of a request; 0: no retries."""
        super().__init__(url, token, saved)
        self.patience_s = patience_s
        self._renewing = threading.Lock()
        self._renewed = 0  # number of attempts

    def guest(self, **body: Unpack[GuestRequest]) -> Session:
        """Enters as a new guest, or with `device_secret` as the guest of that device."""
        return self.keep(self.enter_as_guest(body))

    def sign_in(self, email: str, password: str, factor_code: Callable[[], str] | None = None) -> Session:
        """Signs in to an account. factor_code: returns the second-factor code; called if the account has a
        second factor. Without it, signing in to such an account raises `ApiError` with the code
        `second_factor_needed`."""
        try:
            return self.keep(self.login({"email": email, "password": password}))
        except ApiError as error:
            if error.code != "second_factor_needed" or factor_code is None:
                raise
            challenge = error.problem["challenge"]
        return self.keep(self.login_factor({"challenge": challenge, "factor_code": factor_code()}))

    def sign_out(self) -> None:
        """Ends the session, here and on the server."""
        if self.refresh_token:
            self.logout({"refresh_token": self.refresh_token})
        self.drop()

    def ask(
        self,
        method: str,
        path: str,
        *names: str,
        body: Any = None,
        query: Any = None,
        key: str | None = None,
        text: bool = False,
    ) -> Any:
        for name in names:
            path = path.replace(path[path.index("{") : path.index("}") + 1], quote(str(name), safe=""), 1)
        more = {
            "params": {
                n: str(v).lower() if isinstance(v, bool) else v
                for n, v in (query or {}).items()
                if v is not None
            }
        }
        headers = {"Idempotency-Key": key} if key else {}
        signed = (
            not path.startswith("/v1/auth/")
            or path == "/v1/auth/upgrade"
            or path.startswith("/v1/auth/logout-")
        )
        response = self._patiently(method, path, signed, key, body=body, headers=headers, **more)
        if not response.ok:
            raise ApiError(_json(response), response.status_code)
        if text:
            return response.text
        if response.headers.get("Content-Type", "").startswith("application/x-ndjson"):
            return response.text
        return response.json() if response.content else None

    def _patiently(
        self, method: str, path: str, signed: bool, key: str | None, **request: Any
    ) -> requests.Response:
        until = time.monotonic() + self.patience_s
        while True:
            try:
                response = (
                    self._signed(method, path, **request) if signed else self.send(method, path, **request)
                )
                status, wait = response.status_code, _wait_of(response)
            except LOST as lost:
                response, status, wait, why = None, 0, LINE_AGAIN_S, lost
            twice = status == 429 or (status in (0, 503) and (method == "GET" or key))
            if not twice or time.monotonic() + wait > until:
                if response is None:
                    raise ApiError({}, 0) from why
                return response
            time.sleep(wait)

    def _signed(self, method: str, path: str, **request: Any) -> requests.Response:
        """Sends a request with the session's token. If the server rejects the token, retries with a new
        one."""
        if self.renew_at is not None and time.monotonic() > self.renew_at:
            self._renew(self._renewed)
        renewed = self._renewed
        response = self.send(method, path, **request)
        if (
            response.status_code != 401
            or not (self.refresh_token or self.bot_token)
            or not self._renew(renewed)
        ):
            return response
        return self.send(method, path, **request)

    def _renew(self, renewed: int) -> bool:
        """Gets a new access token, shared by concurrent callers. False: the session has ended."""
        with self._renewing:
            if self._renewed != renewed:
                return True  # another thread was faster
            try:
                if self.bot_token:
                    self._bear(self.enter_with_token({"token": self.bot_token}))
                else:
                    self.keep(self.refresh({"refresh_token": self.refresh_token or ""}))
            except ApiError as error:
                if error.status != 401 or self.bot_token:
                    raise
                self.drop()
                return False
            self._renewed += 1
            return True


def _wait_of(response: requests.Response) -> float:
    """Seconds to wait, as required by the server."""
    try:
        return float(response.headers.get("Retry-After", 1))
    except ValueError:
        return 1


def _json(response: requests.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return {}
