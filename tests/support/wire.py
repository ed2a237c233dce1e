"""Requests whose targets and bodies go as they are: no client in between puts them right."""

import http.client
import json
import socket


class Answer:
    """As much of an answer as `contract.check_response` wants."""

    def __init__(self, status_code, headers, content):
        self.status_code, self.headers, self.content = status_code, headers, content

    @property
    def text(self):
        return self.content.decode(errors="replace")

    def json(self):
        return json.loads(self.content)


class Wire:
    """A connection that is opened again when the server has closed it."""

    def __init__(self, server):
        self.at, self.line = ("127.0.0.1", server.http_port), None

    def ask(self, method, target, headers=None, body=None):
        """headers: those that are None are left out. body: bytes, or a list of them, which go as chunks. All of it goes in one
        piece, so that an answer which comes before its end is not lost."""
        lines = {"Host": "x", **({"Content-Type": "application/json"} if body is not None else {}), **(headers or {})}
        if isinstance(body, list):
            lines["Transfer-Encoding"] = "chunked"
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in body) + b"0\r\n\r\n"
        elif body is not None:
            lines.setdefault("Content-Length", str(len(body)))
        head = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items() if value is not None), "", ""]
        data = "\r\n".join(head).encode("latin-1") + (body or b"")
        again = self.line is not None
        while True:
            if self.line is None:
                self.line = socket.create_connection(self.at, timeout=30)
                self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                self.line.sendall(data)
                return self._answer(method)
            except (http.client.RemoteDisconnected, ConnectionError):
                self.close()
                if not again:  # else it was closed while nothing was asked
                    raise
                again = False

    def _answer(self, method):
        response = http.client.HTTPResponse(self.line, method=method)
        response.begin()
        answer = Answer(response.status, response.headers, response.read())
        if response.will_close:
            self.close()
        response.close()
        return answer

    def close(self):
        if self.line is not None:
            self.line.close()
        self.line = None
