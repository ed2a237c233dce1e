"""A private, unprivileged NATS server that tests start, freeze, and kill; and a client that sends arbitrary
messages."""

import os
import shutil
import signal
import socket
import subprocess
import time

from .server import free_port
from .wait import HANG_S

USER, PASSWORD = "rummyd", "not-to-be-seen-in-any-log"


class Nats:
    def __init__(self, folder, tls=None):
        """tls: (certificate file, key file)."""
        self.folder, self.tls, self.port, self.process = folder, tls, free_port(), None
        self.scheme, self.host = ("tls" if tls else "nats"), "localhost"

    @property
    def url(self):
        return f"{self.scheme}://{USER}:{PASSWORD}@{self.host}:{self.port}"

    def start(self):
        program = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")
        flags = [
            "-a",
            "127.0.0.1",
            "-p",
            str(self.port),
            "--user",
            USER,
            "--pass",
            PASSWORD,
            "-P",
            str(self.folder / "nats.pid"),
        ]
        if self.tls:
            flags += ["--tls", "--tlscert", str(self.tls[0]), "--tlskey", str(self.tls[1])]
        with open(self.folder / "nats.log", "ab") as log:
            self.process = subprocess.Popen(
                [program, *flags], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        until = time.monotonic() + HANG_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert time.monotonic() < until and self.process.poll() is None, (
                    self.folder / "nats.log"
                ).read_text()[-2000:]
                time.sleep(0.02)

    def kill(self):
        if self.runs():
            os.kill(self.process.pid, signal.SIGCONT)
            self.process.kill()
            self.process.wait(HANG_S)

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def freeze(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self):
        os.kill(self.process.pid, signal.SIGCONT)

    def say(self, *messages):
        """Publishes any (subject, payload) pairs; returns once the server has processed them."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as line:
            line.settimeout(HANG_S)
            said = f'CONNECT {{"verbose":false,"user":"{USER}","pass":"{PASSWORD}"}}\r\n'.encode()
            for subject, payload in messages:
                said += f"PUB {subject} {len(payload)}\r\n".encode() + payload + b"\r\n"
            line.sendall(said + b"PING\r\n")
            heard = b""
            while b"PONG" not in heard:
                more = line.recv(4096)
                assert more, heard
                heard += more
            assert b"-ERR" not in heard, heard
