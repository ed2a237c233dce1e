"""scripts/cluster as a command: refusals of one sentence, without a traceback, and the output of its
templates."""

import json
import subprocess

import cluster_packets
import pytest
from support.cluster import ROOT

SCRIPT = ROOT / "scripts" / "cluster"


def run(*words):
    return subprocess.run([SCRIPT, *words], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    "words", [(), ("dance",), ("kill",), ("freeze",), ("cut",), ("up", "three"), ("config",)]
)
def test_invalid_arguments_print_the_usage(tmp_path, words):
    done = run(f"--dir={tmp_path / 'none'}", *words)
    assert done.returncode == 2 and "scripts/cluster up" in done.stderr


@pytest.mark.parametrize("command", ["status", "down", "heal", "add", "switchover", "reload", "conninfo"])
def test_commands_without_a_cluster_fail(tmp_path, command):
    done = run(f"--dir={tmp_path / 'none'}", command)
    assert (
        done.returncode == 1
        and done.stderr
        == f"cluster: there is no cluster in {tmp_path / 'none'}; `scripts/cluster up` creates one\n"
    )
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("word", "said"),
    [("--nodes=0", "from 1 to 16"), ("--nodes=17", "from 1 to 16"), ("--port=x", "from 1 to 65535")],
)
def test_an_invalid_number_is_refused(tmp_path, word, said):
    done = run(f"--dir={tmp_path / 'none'}", "up", "--as-is", word)
    assert done.returncode == 1 and said in done.stderr and done.stderr.count("\n") == 1


def made_up(tmp_path):
    """A folder with a cluster of which nothing is running."""
    for name in ("run", "log"):
        (tmp_path / name).mkdir()
    ports = dict.fromkeys(
        ("play", "db", "db_read", "etcd", "etcd_peer", "nats", "pg1", "pg2", "rest1", "rest2"), 9
    )
    made = {
        "ports": ports,
        "passwords": {},
        "secret": "",
        "options": [],
        "bus": False,
        "nodes": {"n1": {"http": 9, "ws": 9, "db": 9}},
    }
    (tmp_path / "cluster.json").write_text(json.dumps(made))
    return tmp_path


@pytest.mark.parametrize(("words", "said"), [
    (("kill", "n7"), "there is no n7; choose one of primary standby etcd pg1 pg2 haproxy nats n1"),
    (("kill", "n1"), "n1 is not running"),
    (("freeze", "pg1"), "pg1 is not running"),
    (("drain", "pg1"), "there is no node pg1; choose one of n1"),
    (("cut", "etcd"), "there is no node etcd; choose one of n1"),
    (("switchover",), "there is no primary"),
])  # fmt: skip
def test_an_absent_member_is_named(tmp_path, words, said):
    done = run(f"--dir={made_up(tmp_path)}", *words)
    assert (done.returncode, done.stderr) == (1, f"cluster: {said}\n")


@pytest.mark.parametrize(
    "words",
    [
        ("db", "loud"),
        ("sideways",),
        ("all", "0%"),
        ("all", "100%"),
        ("db", "silent", "more"),
        ("db", "silent; flush ruleset"),
    ],
)
def test_an_invalid_cut_is_refused(tmp_path, words):
    done = run(f"--dir={made_up(tmp_path)}", "cut", "n1", *words)
    assert done.returncode == 2 and "scripts/cluster cut" in done.stderr


@pytest.mark.parametrize(("how", "made"), [
    ("silent", ["tcp dport { 1, 2 } drop", "tcp sport { 3 } drop", "tcp sport { 1, 2 } drop",
    "tcp dport { 3 } drop"]), ("to", ["tcp dport { 1, 2 } drop", "tcp sport { 3 } drop"]),
    ("from", ["tcp sport { 1, 2 } drop", "tcp dport { 3 } drop"]),
])  # fmt: skip
def test_the_packet_rules_match_the_cut(how, made):
    """The node listens on 1 and 2; 3 is its frontend to PostgreSQL."""
    assert list(cluster_packets.rules([1, 2], [3], how)) == made
    assert list(cluster_packets.rules([], [3], "30%"))[0] == "tcp sport { 3 } numgen random mod 100 < 30 drop"


def test_a_process_with_a_reused_id_is_not_killed(tmp_path):
    """The file names a running process, but with another start time."""
    folder = made_up(tmp_path)
    with subprocess.Popen(["sleep", "60"]) as other:
        (folder / "run/n1").write_text(f"{other.pid} 1\n")
        assert run(f"--dir={folder}", "kill", "n1").returncode == 1
        assert other.poll() is None
        other.kill()


def certificate(folder):
    folder.mkdir()
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-subj",
        "/CN=localhost",
    ]
    subprocess.run(
        [*command, "-keyout", folder / "key", "-out", folder / "crt"], check=True, capture_output=True
    )
    (folder / "both.pem").write_text((folder / "crt").read_text() + (folder / "key").read_text())
    for name in ("key", "crt"):
        (folder / name).unlink()


def test_the_container_haproxy_config_uses_the_same_template(tmp_path):
    assert run("config", str(tmp_path / "made")).returncode == 0
    made = (tmp_path / "made").read_text()
    assert made == (ROOT / "docker/cluster/haproxy.cfg").read_text(), (
        "run scripts/cluster config docker/cluster/haproxy.cfg"
    )
    assert "@" not in made
    certificate(tmp_path / "certs")
    (tmp_path / "made").write_text(made.replace("/etc/haproxy/certs/", f"{tmp_path}/certs/"))
    checked = subprocess.run(
        ["/usr/sbin/haproxy", "-c", "-f", tmp_path / "made"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
