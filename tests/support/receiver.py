"""A receiver of webhooks: a local HTTP server that records each request and gives scripted replies. Verifies
signatures with Python's hmac, following the Standard Webhooks specification."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
import time

from .wait import HANG_S


class Message:
    def __init__(self, path, headers, body):
        self.at, self.path, self.headers, self.body = time.time(), path, headers, body

    @property
    def id(self):
        return self.headers["webhook-id"]

    @property
    def json(self):
        return json.loads(self.body)

    def signed_by(self, secret):
        """Whether one of the message's signatures was made with this secret."""
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        text = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        right = "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
        return right in self.headers["webhook-signature"].split(" ")


class Receiver:
    """answers: replies to the next requests, in order; after that, `usual` is used. Each is a status, a
    (status, headers) pair, or a function called with the handler."""

    def __init__(self, usual=204):
        self.usual, self.answers, self.messages = usual, [], []
        self.lock, self.closing = threading.Lock(), threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.lock:
                    receiver.messages.append(Message(self.path, self.headers, body))
                    answer = receiver.answers.pop(0) if receiver.answers else receiver.usual
                if callable(answer):
                    answer(self)
                    return
                status, headers = answer if isinstance(answer, tuple) else (answer, {})
                self.send_response(status)
                for name, value in {**headers, "Content-Length": "0"}.items():
                    self.send_header(name, value)
                self.end_headers()

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/hook"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def wait(self, n, within=HANG_S):
        """Waits for n messages, and returns them."""
        until = time.monotonic() + within
        while len(self.messages) < n and time.monotonic() < until:
            time.sleep(0.02)
        assert len(self.messages) >= n, f"{len(self.messages)} of {n} messages came"
        return list(self.messages)

    def close(self):
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()
