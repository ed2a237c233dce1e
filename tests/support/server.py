"""The built program as a black box: tests start, query, stop, and kill it."""

import contextlib
import http.client
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import time

from .cluster import BUILD, OWNER, ROOT, RUMMYD
from .wait import until

# Outside the ranges of ephemeral ports and of clusters (scripts/cluster_parts.py).
PORT_FIRST, PORT_LAST, PORT_BLOCK = 18000, 31999, 100
claims, ports = [], iter(())


def claimed_block():
    """Ports for this process only: it claims each range by binding its first port for UDP."""
    while True:
        first = random.SystemRandom().randrange(PORT_FIRST, PORT_LAST + 1 - PORT_BLOCK, PORT_BLOCK)
        claim = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            claim.bind(("127.0.0.1", first))
        except OSError:
            claim.close()
            continue
        claims.append(claim)
        return iter(range(first, first + PORT_BLOCK))


def free_port():
    """An unused TCP port that no other test gets, because a server reserves two ports before it listens on
    them, and does not listen while it is down."""
    global ports
    while True:
        port = next(ports, None)
        if port is None:
            ports = claimed_block()
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


class Server:
    """`rummyd serve --dev` on a database. Ports stay the same across restarts, so that clients can
    reconnect.

    `options` are configuration keys: Server(conninfo, folder, log_level="debug").
    """

    START_MAX_S = 60  # only a hang takes that long
    STOP_MAX_S = 30
    QUICK_PASSWORDS = "quick-passwords.so"  # in BUILD, except in sanitizer builds
    PASSWORDS_WAIT = "passwords-wait"

    def __init__(
        self,
        conninfo,
        folder,
        dev=True,
        env=None,
        own_session=False,
        costly_passwords=False,
        program=RUMMYD,
        **options,
    ):
        self.folder = pathlib.Path(folder)
        self.http_port = options.pop("http_port", None) or free_port()
        self.ws_port = options.pop("ws_port", None) or free_port()
        self.url = f"http://127.0.0.1:{self.http_port}"
        self.ws_url = f"ws://127.0.0.1:{self.ws_port}"
        self.log_file = self.folder / "rummyd.log"
        self.program = program
        self.dev = dev
        self.env = env
        self.own_session = own_session  # scheduled like a separate service
        self.costly_passwords = costly_passwords  # real password hashing, for tests of its cost
        self.options = {
            "db": conninfo,
            "http_port": self.http_port,
            "ws_port": self.ws_port,
            "state_dir": self.folder,
            "mail_dir": self.folder / "mail",
            **options,
        }
        self.process = None
        self.tables = []  # the `Table` of each player on this server, with the received frames

    @property
    def owner_db(self):
        """The conninfo of the database owner: the last `user` takes effect."""
        return f"{self.options['db']} user={OWNER}"

    def command(self):
        flags = [f"--{key}={value}" for key, value in self.options.items() if value is not None]
        return [str(self.program), "serve", *(["--dev"] if self.dev else []), *flags]

    def environment(self):
        env = dict(os.environ if self.env is None else self.env)
        library = BUILD / self.QUICK_PASSWORDS
        if not self.costly_passwords and library.exists():
            here = self.folder / library.name  # BUILD may contain a space, LD_PRELOAD must not
            if not here.is_symlink():
                here.symlink_to(library)
            env["LD_PRELOAD"] = " ".join([*env.get("LD_PRELOAD", "").split(), str(here)])
            env["RUMMY_TEST_PASSWORDS_WAIT"] = str(self.folder / self.PASSWORDS_WAIT)
        return env

    @contextlib.contextmanager
    def passwords_wait(self):
        """Delays all password hashing until the end of the block. (Sanitizer builds are slow anyway.)"""
        file = self.folder / self.PASSWORDS_WAIT
        file.touch()
        try:
            yield
        finally:
            file.unlink()

    def start(self, wait=True):
        if not self.dev and self.options["mail_dir"]:  # only --dev creates it
            pathlib.Path(self.options["mail_dir"]).mkdir(exist_ok=True)
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                cwd=ROOT,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=self.own_session,
            )
        if wait:
            self.wait_ready()
        return self

    def wait_ready(self):
        until = time.monotonic() + self.START_MAX_S
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"rummyd ended with {self.process.returncode}:\n{self.log()[-3000:]}")
            # lapse: the loop retries
            look = http.client.HTTPConnection("127.0.0.1", self.http_port, timeout=10)
            try:
                look.request("GET", "/readyz")
                if look.getresponse().status == 200:
                    return
            except (OSError, http.client.HTTPException):
                pass
            finally:
                look.close()
            time.sleep(0.02)
        raise AssertionError(f"rummyd is not ready after {self.START_MAX_S} s:\n{self.log()[-3000:]}")

    def stop(self):
        """Sends SIGTERM and returns the exit code; kills a server that does not stop, and fails."""
        if self.process is None or self.process.poll() is not None:
            return None if self.process is None else self.process.returncode
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(self.STOP_MAX_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"rummyd does not stop within {self.STOP_MAX_S} s") from None

    def kill(self):
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def no_finding(self):
        """Fails on sanitizer reports of a killed server, whose exit code does not show them."""
        found = re.search(r"Sanitizer: |: runtime error: ", self.log())
        assert not found, self.log()[max(0, found.start() - 200) :][:6000]

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def logged(self, text, n=1):
        """Waits until the log contains the text at least n times, because an event may be logged after its
        effect is visible."""
        return until(lambda: self.log().count(text) >= n, lambda: f"not logged: {text}\n{self.log()[-3000:]}")
