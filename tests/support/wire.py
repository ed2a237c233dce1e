"""Requests with raw targets and bodies, which bypass the corrections of client libraries."""

import http.client
import json
import socket

from requests.structures import CaseInsensitiveDict

from .wait import HANG_S


class Answer:
    """The parts of a response that `contract.check_response` requires."""

    def __init__(self, status_code, headers, content):
        self.status_code, self.headers, self.content = status_code, headers, content

    @property
    def text(self):
        return self.content.decode(errors="replace")

    def json(self):
        return json.loads(self.content)


class Wire:
    """A connection that reopens after the server has closed it."""

    def __init__(self, server):
        self.at, self.line, self.file = ("127.0.0.1", server.http_port), None, None

    def ask(self, method, target, headers=None, body=None):
        """headers: None omits a header. body: bytes, or a list of chunks. Everything is sent in one piece, so
        that an early reply is not lost."""
        lines = {
            "Host": "x",
            **({"Content-Type": "application/json"} if body is not None else {}),
            **(headers or {}),
        }
        if isinstance(body, list):
            lines["Transfer-Encoding"] = "chunked"
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in body) + b"0\r\n\r\n"
        elif body is not None:
            lines.setdefault("Content-Length", str(len(body)))
        head = [
            f"{method} {target} HTTP/1.1",
            *(f"{name}: {value}" for name, value in lines.items() if value is not None),
            "",
            "",
        ]
        data = "\r\n".join(head).encode("latin-1") + (body or b"")
        again = self.line is not None
        while True:
            if self.line is None:
                self.line = socket.create_connection(self.at, timeout=HANG_S)
                self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.file = self.line.makefile("rb")
            try:
                self.line.sendall(data)
                return self._answer(method)
            except (http.client.RemoteDisconnected, ConnectionError):
                self.close()
                if not again:  # otherwise the server has closed it while it was idle
                    raise
                again = False

    def _answer(self, method):
        """http.client would do, but its email parser for headers takes a quarter of the time of tests that
        send thousands of requests."""
        start = self.file.readline().split(None, 2)
        if not start:
            raise http.client.RemoteDisconnected("no answer")
        status, headers = int(start[1]), CaseInsensitiveDict()
        while line := self.file.readline().rstrip(b"\r\n"):
            name, colon, value = line.decode("latin-1").partition(":")
            assert colon, line
            headers[name] = value.strip()
        answer = Answer(status, headers, self._content(method, status, headers))
        if headers.get("Connection", "").lower() == "close" or start[0] == b"HTTP/1.0":
            self.close()
        return answer

    def _content(self, method, status, headers):
        if method == "HEAD" or status in (204, 304):
            return b""
        if headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.file.readline().split(b";")[0], 16):
                parts.append(self.file.read(size))
                self.file.readline()
            self.file.readline()  # no trailers
            return b"".join(parts)
        content = self.file.read(int(headers["Content-Length"]))
        assert len(content) == int(headers["Content-Length"]), "the answer is cut off"
        return content

    def close(self):
        if self.line is not None:
            self.file.close()
            self.line.close()
        self.line = self.file = None
