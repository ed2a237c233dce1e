"""The built program as a black box: started, asked, stopped, killed."""

import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import time

import requests

from .cluster import BUILD, OWNER, ROOT, RUMMYD


given_ports = set()


def free_port():
    """A TCP port that nobody listens on just now and that nobody here was given before: a server asks for two before it
    listens on either. It is none of those that the kernel gives to clients, which tests beside this one have many of, and
    would be taken before the server listens there."""
    while True:
        port = random.SystemRandom().randrange(10000, 32000)
        if port in given_ports:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        given_ports.add(port)
        return port


class Server:
    """`rummyd serve --dev` on a database. Ports stay the same over restarts, so that clients find it again.

    `options` are configuration keys: Server(conninfo, folder, log_level="debug").
    """

    START_MAX_S = 20
    STOP_MAX_S = 15
    QUICK_PASSWORDS = "quick-passwords.so"  # in BUILD; none beside a sanitizer

    def __init__(self, conninfo, folder, dev=True, env=None, own_session=False, costly_passwords=False, **options):
        self.folder = pathlib.Path(folder)
        self.http_port = options.pop("http_port", None) or free_port()
        self.ws_port = options.pop("ws_port", None) or free_port()
        self.url = f"http://127.0.0.1:{self.http_port}"
        self.ws_url = f"ws://127.0.0.1:{self.ws_port}"
        self.log_file = self.folder / "rummyd.log"
        self.dev = dev
        self.env = env
        self.own_session = own_session  # as a service of its own would be scheduled
        self.costly_passwords = costly_passwords  # hashed as everywhere, where a test is about what that takes
        self.options = {
            "db": conninfo,
            "http_port": self.http_port,
            "ws_port": self.ws_port,
            "state_dir": self.folder,
            "mail_dir": self.folder / "mail",
            **options,
        }
        self.process = None
        self.tables = []  # every `Table` of a player here, with what they were told

    @property
    def owner_db(self):
        """The conninfo of who owns its database: the later user counts."""
        return f"{self.options['db']} user={OWNER}"

    def command(self):
        flags = [f"--{key}={value}" for key, value in self.options.items() if value is not None]
        return [str(RUMMYD), "serve", *(["--dev"] if self.dev else []), *flags]

    def environment(self):
        env = dict(os.environ if self.env is None else self.env)
        library = BUILD / self.QUICK_PASSWORDS
        if not self.costly_passwords and library.exists():
            here = self.folder / library.name  # BUILD may have a space in its name, LD_PRELOAD none
            if not here.is_symlink():
                here.symlink_to(library)
            env["LD_PRELOAD"] = " ".join([*env.get("LD_PRELOAD", "").split(), str(here)])
        return env

    def start(self, wait=True):
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                self.command(), cwd=ROOT, env=self.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
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
            try:
                if requests.get(self.url + "/readyz", timeout=2).status_code == 200:
                    return
            except requests.ConnectionError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"rummyd is not ready after {self.START_MAX_S} s:\n{self.log()[-3000:]}")

    def stop(self):
        """SIGTERM, and its exit code; a server that does not stop is killed and an error."""
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
        """What a sanitizer said of a server that was killed would be read by nobody: its exit code tells of a stop only."""
        found = re.search(r"Sanitizer: |: runtime error: ", self.log())
        assert not found, self.log()[max(0, found.start() - 200) :][:6000]

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""
