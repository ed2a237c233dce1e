"""Common parts of the fake payment providers: an HTTP server on loopback that records each request, and
misbehaves on demand.

    stand_in.manners.append("cut")      # applies to the next request
    stand_in.mannered(method, path)     # a subclass may exempt requests

A subclass has `other(body)`, a reply about another order, and `serve(method, path, form, headers)`, which
returns the status, the reply, and optionally headers. form: a dict for a urlencoded body, the parsed value
for a JSON body."""

import http.server
import itertools
import json
import socket
import struct
import threading
import urllib.parse

MANNERS = (
    "cut",  # the connection is cut before the request is processed
    "cut_after",  # the request is processed, and the connection is cut instead of a reply
    "cut_half",  # the request is processed, and the connection is cut in mid-reply
    "hang",  # the request is processed, and no reply is sent
    "500",
    "503",
    "429",
    "409",  # not processed
    "garbage",  # 200, but not JSON
    "huge",  # 200, and megabytes
    "other",  # 200, about another order
    "400",
    "401",
    "403",
    "404",
    "410",
    "302",  # not processed; redirects to another address
)


class StandIn:
    def __init__(self):
        self.lock = threading.Lock()
        self.requests = []  # (method, path, form, headers)
        self.manners = []  # manners for the next requests, in order; a function is called with the handler
        self.numbers = itertools.count(1)
        self.closing = threading.Event()
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.http.daemon_threads = True
        self.port = self.http.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()

    def mannered(self, method, path):
        """Whether the manners apply to this request."""
        return True

    def _handler(stand_in):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def cut(self):
                # RST instead of an orderly close.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                self.wfile = self.rfile = _Nothing()

            def answer(self, status, body, half=False, headers=()):
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                usual = {
                    "Content-Type": "application/json",
                    **({"Location": stand_in.url + "/elsewhere"} if status == 302 else {}),
                }
                self.send_response(status)
                headers = {**usual, **dict(headers)}
                chunked = headers.get("Transfer-Encoding") == "chunked"
                for name, value in {
                    **headers,
                    **({} if chunked else {"Content-Length": str(len(data))}),
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                if chunked:
                    pieces = [data[i : i + 7] for i in range(0, len(data), 7)]
                    data = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
                self.wfile.write(data[: len(data) // 2] if half else data)

            def handle_one(self, method):
                form = None
                if method == "POST":
                    raw = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                    if self.headers.get("Content-Type") == "application/json":
                        form = json.loads(raw) if raw else None
                    else:
                        form = dict(urllib.parse.parse_qsl(raw, strict_parsing=True, keep_blank_values=True))
                with stand_in.lock:
                    stand_in.requests.append((method, self.path, form, dict(self.headers)))
                    manner = (
                        stand_in.manners.pop(0)
                        if stand_in.manners and stand_in.mannered(method, self.path)
                        else None
                    )
                if callable(manner):
                    manner = manner(self)
                if manner == "cut":
                    return self.cut()
                if manner in ("500", "503", "429", "409", "400", "401", "403", "404", "410", "302"):
                    return self.answer(
                        int(manner), {"error": {"message": f"stand-in says {manner}", "type": "api_error"}}
                    )
                if manner == "garbage":
                    return self.answer(200, b"<html>it works</html>")
                if manner == "huge":
                    return self.answer(200, b'{"id": "' + b"x" * (4 << 20) + b'"}')
                status, body, *own = stand_in.serve(method, self.path, form, self.headers)
                if manner == "other":
                    body = stand_in.other(body)
                if manner == "cut_after":
                    return self.cut()
                if manner == "hang":
                    stand_in.closing.wait(60)
                    return self.cut()
                try:
                    self.answer(status, body, manner == "cut_half", *own)
                    if manner == "cut_half":
                        self.cut()
                except OSError:
                    pass  # the client has disconnected

            def do_GET(self):
                self.handle_one("GET")

            def do_POST(self):
                self.handle_one("POST")

        return Handler


class _Nothing:
    """Gives the handler something to close after a cut."""

    closed = True

    def __getattr__(self, _):
        return lambda *a, **k: b""
