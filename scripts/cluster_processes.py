"""Processes that scripts/cluster starts and leaves running: each has a name, a pid file, and a log.

A process is identified by its id and start time, so that a later process with the same id is left alone. If
root starts them, they run as PostgreSQL's user, as in scripts/pg."""

import contextlib
import os
import pathlib
import pwd
import signal
import subprocess
import time

STOP_S_MAX = 30


class Refused(Exception):
    """The reason why something cannot be done, as one sentence."""


def wait_for(what, seconds, look, pause=0.1):
    """Polls look() until it is true. what: beginning of the error message if that does not happen in
    time."""
    until = time.monotonic() + seconds
    while not (seen := look()):
        if time.monotonic() > until:
            raise Refused(f"{what} within {seconds} s")
        time.sleep(pause)
    return seen


def began(pid):
    """Start time of the process in kernel ticks, and its state; None if there is none, or only a zombie."""
    try:
        after = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if after[0] in "ZX" else after[19]


def state_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


class Owner:
    """The user as whom the processes run."""

    def __init__(self):
        self.arguments = {}
        self.uid = os.geteuid()
        if self.uid == 0:
            try:
                of = pwd.getpwnam("postgres")
            except KeyError:
                raise Refused(
                    "the user postgres does not exist (it comes with the Debian package postgresql)"
                ) from None
            self.uid = of.pw_uid
            self.arguments = {
                "user": of.pw_uid,
                "group": of.pw_gid,
                "extra_groups": os.getgrouplist("postgres", of.pw_gid),
            }

    def own(self, path):
        if os.geteuid() == 0:
            os.chown(path, self.uid, -1)

    def folder(self, path, mode=0o700):
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(mode)
        self.own(path)
        return path

    def write(self, path, text, mode=0o600):
        """Writes the file completely or not at all."""
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(text)
        fresh.chmod(mode)
        self.own(fresh)
        fresh.replace(path)

    def may_read(self, path):
        return subprocess.run(["test", "-r", path], cwd="/", check=False, **self.arguments).returncode == 0


class Processes:
    def __init__(self, folder, owner):
        self.run, self.logs, self.owner = folder / "run", folder / "log", owner

    def start(self, name, command, cwd, env=None):
        if self.alive(name):
            return
        with open(self.logs / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [str(word) for word in command],
                cwd=cwd,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self.owner.arguments,
            )
        self.note(name, process.pid)

    def note(self, name, pid):
        self.owner.write(self.run / name, f"{pid} {began(pid)}\n")

    def alive(self, name):
        """The process id if the process is running, otherwise None."""
        try:
            pid, at = (self.run / name).read_text().split()
        except (OSError, ValueError):
            return None
        return int(pid) if began(pid) == at else None

    def said(self, name, lines=5):
        """The end of the process's log."""
        try:
            return "\n".join((self.logs / f"{name}.log").read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    def await_it(self, name, what, seconds, look):
        """Waits until look() is true. If the process ends before that, the error contains the end of its
        log."""

        def seen():
            if not self.alive(name):
                raise Refused(f"{name} has ended ({self.logs / name}.log):\n{self.said(name)}")
            return look()

        return wait_for(f"{name} {what}", seconds, seen)

    def stop(self, names, sig=signal.SIGTERM, seconds=STOP_S_MAX):
        """Stops all of them at the same time and kills those that do not end in time. Returns their
        names."""
        pids = {name: pid for name in names if (pid := self.alive(name))}
        for pid in pids.values():
            send(pid, signal.SIGCONT)
            send(pid, sig)
        until = time.monotonic() + seconds
        while any(self.alive(name) for name in pids) and time.monotonic() < until:
            time.sleep(0.05)
        late = [name for name in pids if self.alive(name)]
        for name in late:
            send(pids[name], signal.SIGKILL)
        return late


def send(pid, sig):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, sig)


def at_work_in(folder):
    """Processes with this working folder, such as a postmaster with all its children."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*/cwd"):
        try:
            if place.resolve() == folder and state_of(place.parent.name) not in "ZX":
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found


def freeze(pids):
    """Stops the processes, and waits until all of their threads have stopped, because a signal reaches one
    thread, which stops the others when it next runs."""
    for pid in pids:
        send(pid, signal.SIGSTOP)

    def stands(pid):
        for stat in pathlib.Path(f"/proc/{pid}/task").glob("*/stat"):
            try:
                if stat.read_text().rpartition(")")[2].split()[0] not in "TZX":
                    return False
            except OSError:
                continue
        return True

    wait_for("it does not stand still", 5, lambda: all(stands(pid) for pid in pids), 0.002)
