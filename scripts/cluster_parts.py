"""The parts of a cluster on one machine, for scripts/cluster: etcd, two PostgreSQL under Patroni, HAProxy,
NATS, and nodes of rummyd. Nothing here elects, replicates, or routes; it writes configurations and starts
programs.

Below the cluster's folder: a file with ports, secrets, and nodes, one folder per part, run/ (process ids),
log/."""

import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import urllib.error
import urllib.request

from cluster_processes import Refused, at_work_in, freeze, send, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"
TEMPLATE = ROOT / "docker/cluster/haproxy.cfg.in"
PATRONI_YAML = ROOT / "docker/cluster/patroni.yaml"
# Overlaps neither the kernel's ephemeral ports nor those of tests/support/server.py.
PORT_FIRST, PORT_LAST = 10000, 17999
PORT_BLOCK = 64
NODES_MAX = 16
START_S_MAX = 60
SWITCH_S_MAX = 60
PASSWORDS = ("postgres", "replicator", "rewinder", "rummyd_owner", "rummyd", "rummyd_read", "nats")


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_block():
    """Consecutive ports that no process listens on. A cluster takes a whole block, and its etcd listens on
    the first port at once, so that another cluster that starts at the same time takes a different block."""
    while True:
        block = secrets.randbelow((PORT_LAST + 1 - PORT_FIRST) // PORT_BLOCK)
        first = PORT_FIRST + block * PORT_BLOCK
        ports = list(range(first, first + PORT_BLOCK))
        if all(map(is_free, ports)):
            return ports


def ask(port, path, timeout=2, body=None):
    """(status, text) of a response; (0, "") if there is none. With a body, the request is a POST that sends
    it as JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"http://{HOST}:{port}{path}", data, {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read().decode(errors="replace")
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode(errors="replace")
    except (OSError, ValueError):
        return 0, ""


def fill(template, values, lists):
    """The text with @name@ filled in; the part between `@each LIST` and `@end` is repeated for each item of
    that list."""

    def repeat(found):
        return "".join(put(found[2], each) for each in lists[found[1]])

    def put(text, more):
        return re.sub(r"@([a-z_]+)@", lambda found: str({**values, **more}[found[1]]), text)

    return put(re.sub(r"^@each (\w+)\n(.*?)^@end\n", repeat, template, flags=re.M | re.S), {})


class Cluster:
    def __init__(self, folder, owner, processes):
        self.folder, self.owner, self.processes = folder, owner, processes
        self.file = folder / "cluster.json"
        self.all = json.loads(self.file.read_text()) if self.file.exists() else None
        self.lendings = {}

    # ---- The parts of the cluster
    # ------------------------------------------------------------------------------

    def make(self, port):
        """Names, ports, and secrets of a new cluster."""
        names = ("etcd", "etcd_peer", "db", "db_read", "nats", "pg1", "pg2", "rest1", "rest2")
        block = free_block()
        self.all = {
            "ports": {"play": port, **dict(zip(names, block))},
            "spare_ports": block[len(names) :],
            "passwords": {name: secrets.token_hex(16) for name in PASSWORDS},
            "secret": secrets.token_hex(32),
            "nodes": {},
            "options": [],
        }
        self.save()

    def save(self):
        self.owner.write(self.file, json.dumps(self.all, indent=1))

    def add_node(self):
        """Allocates a name and ports for one more node; returns the name."""
        nodes = self.all["nodes"]
        if len(nodes) >= NODES_MAX:
            raise Refused(f"there are {NODES_MAX} nodes already")
        name = f"n{len(nodes) + 1}"
        if len(self.all.get("spare_ports", ())) < 3:  # the cluster was created by an older checkout
            self.all["spare_ports"] = free_block()
        nodes[name] = {kind: self.all["spare_ports"].pop(0) for kind in ("http", "ws", "db")}
        self.save()
        return name

    def port(self, name):
        return self.all["ports"][name]

    def nodes(self):
        return list(self.all["nodes"])

    def pgs(self):
        return ["pg1", "pg2"]

    def parts(self):
        return ["etcd", *self.pgs(), "haproxy", "nats", *self.nodes()]

    def address(self):
        return f"http://localhost:{self.port('play')}"

    def bin(self):
        made = self.folder / "pg1/data/PG_VERSION"
        version = made.read_text().strip() if made.exists() else None
        places = sorted(
            pathlib.Path("/usr/lib/postgresql").glob("*/bin"),
            key=lambda place: int(place.parent.name),
            reverse=True,
        )
        for place in places:
            if version in (None, place.parent.name) and (place / "initdb").exists():
                return place
        raise Refused(f"PostgreSQL {version or '15 or newer'} is not installed; run scripts/install")

    def program(self):
        return pathlib.Path(os.environ.get("RUMMY_BUILD", ROOT / "build")).resolve() / "rummyd"

    def lent(self, path):
        """A path at which the owner can read a file or folder of this checkout: the original, or a copy if
        the owner cannot enter the checkout. A command copies only once, so that a starting node never sees
        a half-written copy."""
        if path not in self.lendings:
            self.lendings[path] = path if self.owner.may_read(path) else self.copied(path)
        return self.lendings[path]

    def copied(self, path):
        copy = self.owner.folder(self.folder / "lent") / path.name
        fresh, old = copy.with_name(path.name + ".new"), copy.with_name(path.name + ".old")
        for left_over in (fresh, old):
            shutil.rmtree(left_over, ignore_errors=True)
        if path.is_dir():
            shutil.copytree(path, fresh)
        else:
            shutil.copy2(path, fresh)
        for one in (fresh, *fresh.rglob("*")):
            self.owner.own(one)
        if path.is_dir() and copy.exists():
            copy.rename(old)
        fresh.replace(copy)  # a running node keeps its program
        shutil.rmtree(old, ignore_errors=True)
        return copy

    # ---- etcd ---------------------------------------------------------------------------------------

    def start_etcd(self):
        client, peer = (f"http://{HOST}:{self.port(name)}" for name in ("etcd", "etcd_peer"))
        place = self.owner.folder(self.folder / "etcd")
        command = [
            "etcd",
            "--name=etcd1",
            f"--data-dir={place}/data",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=etcd1={peer}",
            "--enable-v2",
            "--logger=zap",
            "--log-level=warn",
        ]
        self.processes.start("etcd", command, place)
        self.processes.await_it(
            "etcd", "does not answer", START_S_MAX, lambda: ask(self.port("etcd"), "/health")[0] == 200
        )

    # ---- PostgreSQL -----------------------------------------------------------------------------------

    def start_pg(self, name):
        n = name[2:]
        place = self.owner.folder(self.folder / name)
        rest, pg = (f"{HOST}:{self.port(kind + n)}" for kind in ("rest", "pg"))
        env = {
            "PATRONI_NAME": name,
            "PATRONI_RESTAPI_LISTEN": rest,
            "PATRONI_RESTAPI_CONNECT_ADDRESS": rest,
            "PATRONI_ETCD_HOSTS": f"'{HOST}:{self.port('etcd')}'",
            "PATRONI_POSTGRESQL_LISTEN": pg,
            "PATRONI_POSTGRESQL_CONNECT_ADDRESS": pg,
            "PATRONI_POSTGRESQL_DATA_DIR": str(place / "data"),
            "PATRONI_POSTGRESQL_BIN_DIR": str(self.bin()),
            "PATRONI_POSTGRESQL_PGPASS": str(place / "pgpass"),
        }
        for role, user in (("SUPERUSER", "postgres"), ("REPLICATION", "replicator"), ("REWIND", "rewinder")):
            env |= {f"PATRONI_{role}_USERNAME": user, f"PATRONI_{role}_PASSWORD": self.all["passwords"][user]}
        config = place / "patroni.yaml"
        self.owner.write(
            config, PATRONI_YAML.read_text()
        )  # a copy that Patroni's user can read, wherever the clone is
        self.processes.start(name, ["/usr/bin/patroni", config], place, env)

    def members(self):
        """State of each PostgreSQL according to Patroni: {"pg1": {"role": "leader", "state": "running"…}};
        {} if there is no response from any Patroni."""
        for n in ("1", "2"):
            status, text = ask(self.port("rest" + n), "/cluster")
            if status == 200:
                return {member["name"]: member for member in json.loads(text)["members"]}
        return {}

    def primary(self):
        """The PostgreSQL that reports itself as primary, or None."""
        for name in self.pgs():
            if ask(self.port("rest" + name[2:]), "/primary")[0] == 200:
                return name
        return None

    def synchronous(self):
        """The standby for which commits wait, or None."""
        for name in self.pgs():
            if ask(self.port("rest" + name[2:]), "/synchronous")[0] == 200:
                return name
        return None

    def switch(self, primary, standby):
        """Requests a switchover from Patroni, which responds once it is done. Returns the HTTP status and
        text."""
        return ask(
            self.port("rest" + primary[2:]),
            "/switchover",
            SWITCH_S_MAX,
            {"leader": primary, "candidate": standby},
        )

    def pg_processes(self, name):
        patroni = self.processes.alive(name)
        return ([patroni] if patroni else []) + at_work_in(self.folder / name / "data")

    def conninfo(self, role, port=None, database="rummyd"):
        return (
            f"host={HOST} port={port or self.port('db')} dbname={database} user={role}"
            f" passfile={self.folder}/pgpass target_session_attrs=read-write connect_timeout=5"
        )

    def psql(self, text, role="postgres", database="rummyd"):
        command = [
            self.bin() / "psql",
            "-XqAtw",
            "-F",
            "\t",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            self.conninfo(role, database=database),
            "-f",
            "-",
        ]
        done = subprocess.run(
            command,
            input=text,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PGOPTIONS": ""},
        )
        if done.returncode:
            raise Refused(
                "PostgreSQL says:"
                f" {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'nothing'}"
            )
        return [line.split("\t") for line in done.stdout.splitlines()]

    def make_database(self):
        """Creates the roles with their passwords, the database, and its tables."""
        lines = [f"*:*:*:{user}:{password}" for user, password in self.all["passwords"].items()]
        self.owner.write(self.folder / "pgpass", "\n".join(lines) + "\n")
        roles = (ROOT / "db/roles.sql").read_text()
        with_passwords = [
            f"ALTER ROLE {role} PASSWORD '{self.all['passwords'][role]}';\n"
            for role in ("rummyd_owner", "rummyd", "rummyd_read")
        ]
        self.psql(
            "SET client_min_messages = warning;\n" + roles + "\n" + "".join(with_passwords),
            database="postgres",
        )
        done = subprocess.run(
            [self.program(), "migrate", f"--db={self.conninfo('rummyd_owner')}"],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Refused(done.stderr.strip() or done.stdout.strip())

    # ---- The front --------------------------------------------------------------------------------------

    def write_haproxy(self):
        place = self.owner.folder(self.folder / "haproxy")
        values = {
            "maxconn": 4000,
            "global": f"stats socket {place}/admin.sock mode 600 level admin",
            "resolve": "",
            "resolvers": "",
            "play": f"{HOST}:{self.port('play')}",
            "db": f"{HOST}:{self.port('db')}",
            "db_read": f"{HOST}:{self.port('db_read')}",
            "db_port": self.port("db"),
            # A frontend to PostgreSQL for each node, so that one node can be cut off.
            "more": "".join(
                f"\nfrontend db-{name}\n  mode tcp\n  timeout client 24h\n  bind {HOST}:{node['db']} tcp-ut"
                " 15s\n  default_backend primary\n"
                for name, node in self.all["nodes"].items()
            ),
        }
        nodes = [
            {"name": name, "http": f"{HOST}:{node['http']}", "ws": f"{HOST}:{node['ws']}"}
            for name, node in self.all["nodes"].items()
        ]
        pgs = [
            {"name": f"pg{n}", "pg": f"{HOST}:{self.port(f'pg{n}')}", "rest": self.port(f"rest{n}")}
            for n in (1, 2)
        ]
        self.owner.write(
            place / "haproxy.cfg", fill(TEMPLATE.read_text(), values, {"node": nodes, "pg": pgs})
        )
        done = subprocess.run(
            ["/usr/sbin/haproxy", "-c", "-f", place / "haproxy.cfg"],
            cwd=place,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Refused(f"HAProxy rejects its configuration: {done.stderr.strip()[-600:]}")

    def start_haproxy(self):
        self.write_haproxy()
        place = self.folder / "haproxy"
        command = [
            "/usr/sbin/haproxy",
            "-W",
            "-S",
            f"{place}/master.sock,mode,600",
            "-f",
            place / "haproxy.cfg",
        ]
        self.processes.start("haproxy", command, place)
        self.processes.await_it(
            "haproxy", "does not listen", START_S_MAX, lambda: self.tell_haproxy("show info")
        )

    def reload_haproxy(self):
        """Starts a new worker with the current configuration; the old workers keep their sockets."""
        self.write_haproxy()
        master = self.processes.alive("haproxy")
        if not master:
            raise Refused("haproxy is not running; `heal haproxy` starts it")
        before = self.tell_haproxy("show info")
        send(master, signal.SIGUSR2)

        def another():
            now = self.tell_haproxy("show info")
            return now and re.search(r"^Pid: .*", now, re.M)[0] != re.search(r"^Pid: .*", before, re.M)[0]

        wait_for("haproxy does not read its configuration again", START_S_MAX, another)

    def tell_haproxy(self, command, to="admin.sock"):
        """Sends a command and returns HAProxy's reply; "" if there is none."""
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(5)
                here = os.open(self.folder / "haproxy", os.O_RDONLY)  # a socket path has at most 107 bytes
                try:
                    line.connect(f"/proc/self/fd/{here}/{to}")
                finally:
                    os.close(here)
                line.sendall(command.encode() + b"\n")
                line.shutdown(socket.SHUT_WR)  # otherwise the master waits for the next command
                return b"".join(iter(lambda: line.recv(65536), b"")).decode()
        except OSError:
            return ""

    def workers(self):
        """All of HAProxy's workers, including those from before a reload."""
        return re.findall(r"^(\d+)\s+worker", self.tell_haproxy("show proc", "master.sock"), re.M)

    def end_sessions(self, door):
        """Ends all sessions of a frontend or backend in every worker."""
        ended = 0
        for worker in self.workers():
            for line in self.tell_haproxy(f"@!{worker} show sess", "master.sock").splitlines():
                if re.search(rf"\b(fe|be)={door}\b", line):
                    self.tell_haproxy(f"@!{worker} shutdown session {line.split(':')[0]}", "master.sock")
                    ended += 1
        return ended

    # ---- The bus ------------------------------------------------------------------------------------------

    def start_nats(self):
        place = self.owner.folder(self.folder / "nats")
        user = f'{{ user: "rummyd", password: "{self.all["passwords"]["nats"]}" }}'
        self.owner.write(
            place / "nats.conf", f'host: "{HOST}"\nport: {self.port("nats")}\nauthorization: {user}\n'
        )
        self.processes.start("nats", ["/usr/sbin/nats-server", "-c", place / "nats.conf"], place)

        def listens():
            with socket.socket() as line:
                return line.connect_ex((HOST, self.port("nats"))) == 0

        self.processes.await_it("nats", "does not listen", START_S_MAX, listens)

    # ---- Nodes ---------------------------------------------------------------------------------------------

    def start_node(self, name):
        node, place = self.all["nodes"][name], self.owner.folder(self.folder / "nodes" / name)
        page = ROOT / "web/dist"
        options = {
            "db": self.conninfo("rummyd", node["db"]),
            "node": name,
            "http_port": node["http"],
            "ws_port": node["ws"],
            "ws_url": f"ws://localhost:{self.port('play')}/ws/n/{name}",
            "public_url": self.address(),
            "proxies": HOST,
            "state_dir": place,
            "mail_dir": self.owner.folder(self.folder / "mail"),
            "web_dir": self.lent(page) if (page / "index.html").exists() else "",
        }
        flags = [f"--{key}={value}" for key, value in options.items()]
        env = {
            "RUMMYD_JWT_SECRET": self.all["secret"],
            "RUMMYD_BUS_URL": f"nats://rummyd:{self.all['passwords']['nats']}@{HOST}:{self.port('nats')}",
        }
        self.processes.start(
            name, [self.lent(self.program()), "serve", "--dev", *flags, *self.all["options"]], place, env
        )

    def await_node(self, name):
        port = self.all["nodes"][name]["http"]
        self.processes.await_it(name, "is not ready", START_S_MAX, lambda: ask(port, "/readyz")[0] == 200)

    def start(self, name):
        """Starts one part with its previous settings; it may not be ready yet."""
        {"etcd": self.start_etcd, "haproxy": self.start_haproxy, "nats": self.start_nats}.get(
            name, lambda: self.start_pg(name) if name in self.pgs() else self.start_node(name)
        )()

    def pids(self, name):
        """All processes of a part."""
        if name in self.pgs():
            return self.pg_processes(name)
        pid = self.processes.alive(name)
        if name == "haproxy" and pid:
            return [pid, *map(int, self.workers())]
        return [pid] if pid else []

    def kill(self, name):
        for pid in self.pids(name):
            send(pid, signal.SIGKILL)
        wait_for(f"{name} does not end", 10, lambda: not self.pids(name), 0.02)

    def freeze(self, name):
        freeze(self.pids(name))

    def thaw(self, name):
        for pid in self.pids(name):
            send(pid, signal.SIGCONT)
