"""Everything that readers can copy from the documents and docker/: the program accepts the settings, files
and commands exist, systemd units are valid, and the jobs and backups of the containers run.
scripts/prove-clean executes the section "One machine, without containers" of docs/operations.md on a bare
Debian."""

import contextlib
import os
import re
import shlex
import subprocess
import time

import pytest
import yaml
from support.cluster import OWNER, READER, ROOT, RUMMYD, SERVER
from support.server import Server
from support.wait import HANG_S

WITHOUT = {name: value for name, value in os.environ.items() if not name.startswith("RUMMYD_")}
DEPLOYED = ["docker/compose.yaml", "docker/cluster/compose.yaml"]  # to host games for others
COMPOSE = ["compose.yaml", *DEPLOYED]
SECRET = "0123456789abcdef0123456789abcdef"
SERVICES = sorted((ROOT / "docker/systemd").glob("*.service"))
TIMERS = sorted((ROOT / "docker/systemd").glob("*.timer"))
JOBS = {path.name for path in (ROOT / "scripts/jobs").iterdir() if path.suffix != ".sh"}
# Variables that Kubernetes adds for a Service `rummyd` (enableServiceLinks).
LINKS = {
    "RUMMYD_SERVICE_HOST": "10.96.0.7",
    "RUMMYD_SERVICE_PORT": "8080",
    "RUMMYD_PORT": "tcp://10.96.0.7:8080",
    "RUMMYD_PORT_8080_TCP_PORT": "8080",
    "RUMMYD_0_SERVICE_HOST": "10.96.0.8",
    "RUMMYD_0_PORT_8081_TCP": "tcp://10.96.0.8:8081",
}


@pytest.fixture
def place(tmp_path):
    """A page, and a folder to run in."""
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<!doctype html>")
    return tmp_path


def check_config(place, env, *flags):
    """Checks the configuration as `serve` would parse it; returns the exit code and the output."""
    done = subprocess.run(
        [RUMMYD, "check-config", *flags],
        env={**WITHOUT, **env},
        cwd=place,
        capture_output=True,
        text=True,
        timeout=HANG_S,
    )
    return done.returncode, done.stderr


# --- containers ---------------------------------------------------------------------------------------------


def variables(path):
    """The variables of the example file next to the path, with each empty value filled in."""
    example = (ROOT / path).parent / "example.env"
    text = (example if example.exists() else ROOT / "docker/example.env").read_text()
    found = dict(line.split("=", 1) for line in text.splitlines() if re.match(r"[A-Z_]+=", line))
    needed = re.findall(r"\$\{([A-Z_]+):\?", (ROOT / path).read_text())
    made = {name: SECRET if name != "SMTP_URL" else "smtps://mail.example" for name in needed}
    return {**found, **{name: value for name, value in made.items() if not found.get(name)}}


def filled(text, values):
    def value(found):
        name, rest = found[1], found[2] or ""
        return values.get(name) or (rest[2:] if rest.startswith(":-") else "")

    return re.sub(r"\$\{([A-Z_]+)(:[-?][^}]*)?\}", value, str(text))


def image_env():
    """ENV of docker/Dockerfile."""
    (line,) = re.findall(r"^ENV (.*)$", (ROOT / "docker/Dockerfile").read_text(), re.M)
    return dict(word.split("=", 1) for word in line.split())


def servers(path):
    for name, service in yaml.safe_load((ROOT / path).read_text())["services"].items():
        command = service.get("command", ["serve"])
        if service["image"] == "rummyd" and "entrypoint" not in service and command[0] == "serve":
            yield name, service, command[1:]


def filled_servers(path):
    for _, service, _ in servers(path):
        env = {key: filled(value, variables(path)) for key, value in service["environment"].items()}
        yield {**service, "environment": env}


@pytest.mark.parametrize("path", COMPOSE)
def test_the_servers_of_each_compose_file_start(place, path):
    found = list(servers(path))
    assert found
    for name, service, flags in found:
        env = {
            **image_env(),
            **{key: filled(value, variables(path)) for key, value in service["environment"].items()},
            "RUMMYD_WEB_DIR": str(place / "web"),
        }
        if "RUMMYD_MAIL_DIR" in env:
            env["RUMMYD_MAIL_DIR"] = str(place / "mail")
        assert check_config(place, env, *flags) == (0, ""), (path, name)


@pytest.mark.parametrize("path", COMPOSE)
def test_each_compose_file_uses_existing_commands(path):
    known = subprocess.run([RUMMYD, "help"], capture_output=True, text=True, check=True).stdout
    for service in yaml.safe_load((ROOT / path).read_text())["services"].values():
        if service["image"] == "rummyd" and "entrypoint" not in service:
            assert f"\n  {service.get('command', ['serve'])[0]} " in known


def in_image():
    """Files of the image, each with its source."""
    copied = re.findall(r"^COPY (\S+) (/\S+)$", (ROOT / "docker/Dockerfile").read_text(), re.M)
    return {target: ROOT / source for source, target in copied}


@pytest.mark.parametrize("path", DEPLOYED)
def test_the_image_contains_what_the_services_run(path):
    """Paths of `entrypoint`: copied into the image, or mounted."""
    places, folder = in_image(), (ROOT / path).parent
    compose = yaml.safe_load((ROOT / path).read_text())
    checked = 0
    for name in ("jobs-key", "jobs", "backup"):
        service = compose["services"][name]
        mounts = {mount.split(":")[1]: mount.split(":")[0] for mount in service["volumes"]}
        for word in service["entrypoint"]:
            if word.startswith("/usr/"):
                source = places[word] if word in places else folder / mounts[word]
                assert source.exists(), word
                checked += 1
        assert {mount.split(":")[0] for mount in service["volumes"] if not mount.startswith(".")} <= set(
            compose["volumes"]
        )
    assert checked == 5
    # a new volume inherits the owner of this folder
    assert (ROOT / "docker/Dockerfile").read_text().count("/keys") == 1


@pytest.mark.parametrize("path", DEPLOYED)
def test_a_deployment_has_jobs_backups_and_a_first_key(path):
    """Without them, no bonus is paid, no season ends, and there is no operator."""
    services = yaml.safe_load((ROOT / path).read_text())["services"]
    of = {
        name: {key: filled(value, variables(path)) for key, value in services[name]["environment"].items()}
        for name in ("migrate", "jobs-key", "jobs", "puzzles", "backup")
    }
    assert "user=rummyd_owner" in of["jobs-key"]["RUMMYD_DB"] == of["migrate"]["RUMMYD_DB"]
    assert of["puzzles"]["RUMMYD_DB"] in {
        service["environment"]["RUMMYD_DB"] for service in filled_servers(path)
    }
    folder, _, key = of["jobs"]["RUMMYD_API_KEY_FILE"].rpartition("/")
    assert services["jobs-key"]["entrypoint"][-1] == f"{folder}/{key}"
    assert services["jobs"]["volumes"] == services["jobs-key"]["volumes"] == [f"keys:{folder}"]
    host = of["jobs"]["RUMMYD_URL"].removeprefix("http://").removesuffix(":8080")
    for name, service, _ in servers(path):
        networks = service["networks"]
        aliases = networks["default"]["aliases"] if isinstance(networks, dict) else []
        assert host in (name, *aliases) and "default" in services["jobs"]["networks"]
    assert f"docker compose -f {path} run --rm migrate api-key make first owner" in (ROOT / path).read_text()


@pytest.fixture
def served(cluster, tmp_path):
    database = cluster.new_database()
    server = Server(cluster.conninfo(database, SERVER), tmp_path, rate_limits="off").start()
    yield server, cluster, database
    assert server.stop() == 0
    cluster.drop_database(database)


def test_the_jobs_of_the_containers_run(served, tmp_path):
    """The key is created once, every job of the crontab runs with it, and none is overdue afterward."""
    server, cluster, database = served
    path = tmp_path / "bin"
    path.mkdir()
    (path / "rummyd").symlink_to(RUMMYD)
    env = {**WITHOUT, "PATH": f"{path}:{os.environ['PATH']}", "RUMMYD_DB": cluster.conninfo(database, OWNER)}
    key = tmp_path / "keys"
    for _ in range(2):
        subprocess.run(["bash", ROOT / "docker/jobs-key.sh", key], env=env, check=True)
        assert key.stat().st_mode & 0o777 == 0o600
    first = key.read_text()
    key.unlink()  # as if the volume were lost
    time.sleep(1.1 - time.time() % 1)  # lapse: names of keys contain seconds
    subprocess.run(["bash", ROOT / "docker/jobs-key.sh", key], env=env, check=True)
    assert key.read_text() != first
    run = ["bash", ROOT / "docker/jobs.sh", ROOT / "docker/crontab.example", ROOT / "scripts/jobs"]
    env = {
        **WITHOUT,
        "RUMMYD_URL": server.url,
        "RUMMYD_API_KEY_FILE": str(key),
        "JOBS_ONCE": "1",
        "RUMMYD_JOB_PAUSE_S": "0",
    }
    done = subprocess.run(run, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    with contextlib.closing(cluster.connect(database)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM jobs WHERE done_at IS NULL")
        assert cursor.fetchone() == (0,)
    key.write_text(first[:-5] + "x" * 4 + "\n")
    done = subprocess.run(run, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "failed" in done.stderr
    assert (
        subprocess.run(
            run, env={**env, "RUMMYD_API_KEY_FILE": "/nowhere"}, capture_output=True, timeout=60
        ).returncode
        == 1
    )


def test_the_containers_generate_puzzles(served, tmp_path):
    """One round of the service's command, with the settings that it gets."""
    _, cluster, database = served
    services = [yaml.safe_load((ROOT / path).read_text())["services"]["puzzles"] for path in DEPLOYED]
    service = services[0]
    assert all(other["entrypoint"] == service["entrypoint"] for other in services)
    [shell, flag, script] = service["entrypoint"]
    script = script.replace("$$", "$")
    once = script.replace("sleep 86400 & wait $!", "exit $?")
    assert once != script
    path = tmp_path / "bin"
    path.mkdir()
    (path / "rummyd").symlink_to(RUMMYD)
    env = {
        **WITHOUT,
        **service["environment"],
        "PATH": f"{path}:{os.environ['PATH']}",
        "RUMMYD_DB": cluster.conninfo(database, SERVER),
    }
    with contextlib.closing(cluster.connect(database)) as connection, connection.cursor() as cursor:
        cursor.execute("DELETE FROM puzzles")  # evaluating those of a new installation would take minutes
    done = subprocess.run([shell, flag, once], env=env, capture_output=True, text=True, timeout=HANG_S)
    assert done.returncode == 0 and "puzzles" in done.stdout + done.stderr, done.stderr


def test_the_containers_make_a_valid_backup(served, tmp_path):
    _, cluster, database = served
    folder = tmp_path / "backups"
    folder.mkdir()
    script = (
        (ROOT / "docker/backup.sh")
        .read_text()
        .replace("/usr/local/bin/rummyd-backup", shlex.quote(str(ROOT / "scripts/backup")))
    )
    command = ["bash", "-c", script, "backup.sh", str(folder), cluster.conninfo(database, READER)]
    assert (
        subprocess.run(command, env={**os.environ, "BACKUP_ONCE": "1"}, timeout=120, check=False).returncode
        == 0
    )
    (made,) = folder.iterdir()
    assert re.fullmatch(r"\w{3}\.dump", made.name) and made.stat().st_size > 10000
    command[-1] = "host=/nowhere dbname=x"
    assert (
        subprocess.run(
            command, env={**os.environ, "BACKUP_ONCE": "1"}, timeout=120, check=False, capture_output=True
        ).returncode
        == 1
    )


# --- Kubernetes ---------------------------------------------------------------------------------------------


def manifests():
    return list(yaml.safe_load_all((ROOT / "docker/kubernetes/rummyd.yaml").read_text()))


def pods():
    for each in manifests():
        if each["kind"] in ("StatefulSet", "Job"):
            yield each["kind"], each["spec"]["template"]["spec"]


def secrets():
    """The secrets in the command at the top of the file, as key and value."""
    text = re.sub(r"\\\n#", "", (ROOT / "docker/kubernetes/rummyd.yaml").read_text())
    (command,) = re.findall(r"^# +(kubectl .*create secret generic rummyd .*)$", text, re.M)
    words = shlex.split(command.replace("$(openssl rand -hex 32)", SECRET).replace("…", "x"))
    return dict(
        word.removeprefix("--from-literal=").split("=", 1)
        for word in words
        if word.startswith("--from-literal=")
    )


def env_of(container):
    config = {each["metadata"]["name"]: each["data"] for each in manifests() if each["kind"] == "ConfigMap"}
    env = {}
    for source in container.get("envFrom", []):
        env |= config[source["configMapRef"]["name"]]
    for each in container["env"]:
        source = each.get("valueFrom", {})
        env[each["name"]] = (
            each["value"]
            if "value" in each
            else "rummyd-0"
            if "fieldRef" in source
            else secrets()[source["secretKeyRef"]["key"]]
        )
    return {name: re.sub(r"\$\((\w+)\)", lambda found: env[found[1]], value) for name, value in env.items()}


def test_the_kubernetes_pods_start(place):
    seen = []
    for kind, pod in pods():
        (container,) = pod["containers"]
        assert pod["enableServiceLinks"] is False
        seen.append((kind, container.get("args", ["serve"])))
        env = {**image_env(), **env_of(container), **LINKS, "RUMMYD_WEB_DIR": str(place / "web")}
        mounts = {mount["mountPath"] for mount in container.get("volumeMounts", [])}
        assert {mount["name"] for mount in container.get("volumeMounts", [])} == {
            volume["name"] for volume in pod.get("volumes", [])
        }
        if "RUMMYD_STATE_DIR" in env:
            assert env["RUMMYD_STATE_DIR"] in mounts
            env["RUMMYD_STATE_DIR"] = str(place)
        if kind == "StatefulSet":
            assert check_config(place, env) == (0, "")
        else:  # only the connection fails, because the database does not exist
            done = subprocess.run(
                [RUMMYD, "migrate"],
                env={**WITHOUT, **env, "PGCONNECT_TIMEOUT": "1"},
                capture_output=True,
                text=True,
                timeout=60,
            )
            assert done.returncode == 1 and not re.match(r"rummyd: \w+: ", done.stderr), done.stderr
    assert seen == [("StatefulSet", ["serve"]), ("Job", ["migrate"])]


def test_kubernetes_runs_the_jobs(served, tmp_path):
    """The commands at the top of the file create the first key and the key of the jobs, which the
    deployment then finds."""
    server, cluster, database = served
    of = {(each["kind"], each["metadata"]["name"]): each.get("spec") for each in manifests()}
    pod = of["Deployment", "rummyd-jobs"]["template"]["spec"]
    (jobs,) = pod["containers"]
    assert all(word in in_image() for word in jobs["command"] if word.startswith("/"))
    env = {each["name"]: each["value"] for each in jobs["env"]}
    service = ("Service", env["RUMMYD_URL"].removeprefix("http://").removesuffix(":8080"))
    assert of[service]["selector"] == {"app": "rummyd"}
    (mount,), (volume,) = jobs["volumeMounts"], pod["volumes"]
    text = re.sub(r"\\\n#", "", (ROOT / "docker/kubernetes/rummyd.yaml").read_text())
    secret, key = re.findall(r"create secret generic (rummyd-jobs) --from-literal=(\w+)=", text)[0]
    assert volume["secret"]["secretName"] == secret
    assert env["RUMMYD_API_KEY_FILE"] == f"{mount['mountPath']}/{key}"
    commands = re.findall(r"exec rummyd-0 -- +rummyd (api-key make .*?--db=\"\$owner\")", text)
    assert len(commands) == 2
    made = []
    for command in commands:
        words = shlex.split(command.replace("$owner", cluster.conninfo(database, OWNER)))
        done = subprocess.run(
            [RUMMYD, *words], env=WITHOUT, capture_output=True, text=True, check=True, timeout=HANG_S
        )
        made.append(done.stdout)
    keys = tmp_path / "key"
    keys.write_text(made[1])
    run = ["bash", ROOT / "docker/jobs.sh", *(in_image()[word] for word in jobs["command"][2:])]
    env = {**WITHOUT, **env, "RUMMYD_URL": server.url, "RUMMYD_API_KEY_FILE": str(keys), "JOBS_ONCE": "1"}
    done = subprocess.run(run, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_kubernetes_generates_puzzles():
    (of,) = (each["spec"] for each in manifests() if each["kind"] == "CronJob")
    pod = of["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    service = yaml.safe_load((ROOT / "docker/compose.yaml").read_text())["services"]["puzzles"]
    commands = re.findall(r"rummyd puzzles \w+", container["command"][2])
    assert (
        commands == re.findall(r"rummyd puzzles \w+", service["entrypoint"][2])
        and pod["enableServiceLinks"] is False
    )
    assert "user=rummyd " in env_of(container)["RUMMYD_DB"]


# --- systemd and cron ---------------------------------------------------------------------------------------


def test_systemd_accepts_every_unit(tmp_path):
    for unit in [*SERVICES, *TIMERS]:
        name = unit.name.replace("@.", "@n1.")
        (tmp_path / name).write_text(re.sub(r"/opt/rummyd/\S+", "/bin/true", unit.read_text()))
    for unit in sorted(tmp_path.iterdir()):
        done = subprocess.run(
            ["systemd-analyze", "verify", unit],
            capture_output=True,
            text=True,
            env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        )
        assert done.returncode == 0 and unit.name not in done.stderr, (unit.name, done.stderr)


def settings(unit):
    """The section Service of a unit: each name with its values."""
    found = {}
    for line in re.split(r"^\[Service\]$", unit.read_text(), flags=re.M)[1].split("\n[")[0].splitlines():
        if "=" in line and not line.startswith("#"):
            name, value = line.split("=", 1)
            found.setdefault(name, []).append(value)
    return found


def test_units_run_existing_files_and_their_users_can_read_the_secrets():
    for unit in SERVICES:
        of = settings(unit)
        (command,) = of["ExecStart"]
        for path in re.findall(r"/opt/rummyd/(\S+)", command):
            assert path == "build/rummyd" or os.access(ROOT / path, os.X_OK), (unit.name, path)
        handed = {value.split(":")[0] for value in of.get("LoadCredential", [])}
        files = {
            name: value
            for value in of.get("Environment", [])
            for name, value in [value.split("=", 1)]
            if name.endswith("_FILE")
        }
        for name, value in files.items():  # of root's files, DynamicUser can read only these
            assert value.startswith("%d/") and value.removeprefix("%d/") in handed, (unit.name, name)
        assert "SupplementaryGroups" not in of  # it would name a group that does not exist
        assert not re.search(r"(?<!LoadCredential=)(?<!:)/etc/", command), (
            "the user of the unit cannot read it"
        )
    assert {timer.stem for timer in TIMERS} == {unit.stem for unit in SERVICES if "@" not in unit.name}


def test_the_unit_of_a_node_starts(place):
    """Runs it with systemd's environment: the credentials in a folder, and their paths filled in."""
    of = settings(ROOT / "docker/systemd/rummyd@.service")
    credentials = place / "credentials"
    credentials.mkdir()
    sources = {
        "/etc/rummyd/rummyd.conf": here_document("/etc/rummyd/rummyd.conf"),
        "/etc/rummyd/jwt.secret": SECRET,
    }
    for value in of["LoadCredential"]:
        name, source = value.split(":")
        (credentials / name).write_text(sources[source])
        (credentials / name).chmod(0o440)  # an ACL looks like group permissions
    put = lambda text: (
        text.replace("%d", str(credentials))
        .replace("%S/rummyd/%i", str(place))
        .replace("%i", "n1")
        .replace("${CREDENTIALS_DIRECTORY}", str(credentials))
    )
    env = dict(put(value).split("=", 1) for value in of["Environment"]) | {
        "CREDENTIALS_DIRECTORY": str(credentials),
        "RUMMYD_WEB_DIR": str(place / "web"),
    }
    command, *flags = shlex.split(put(of["ExecStart"][0]))[1:]
    assert command == "serve" and check_config(place, env, *flags) == (0, "")


def crontab():
    lines = (ROOT / "docker/crontab.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"\w+=", line)), [
        line for line in lines if re.match(r"[\d*]", line)
    ]


def test_the_crontab_contains_every_job():
    env, lines = crontab()
    named = {line.rsplit("/", 1)[1] for line in lines if "/scripts/jobs/" in line}
    assert named == JOBS and any("/scripts/backup" in line for line in lines)
    assert any("puzzles mine" in line and "puzzles check" in line for line in lines)
    assert {timer.stem.removeprefix("rummyd-") for timer in TIMERS} == JOBS | {"backup", "puzzles"}
    for line in lines:
        assert len(line.split(maxsplit=5)) == 6
        for path in re.findall(r"/opt/rummyd/(\S+)", line):
            assert os.access(ROOT / path, os.X_OK), path


def test_the_program_runs_in_the_environment_of_the_crontab(served):
    """`rummyd ledger-check`, run from the same crontab."""
    _, cluster, database = served
    env, _ = crontab()
    done = subprocess.run(
        [RUMMYD, "ledger-check", f"--db={cluster.conninfo(database, READER)}"],
        env={**WITHOUT, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr


# --- documents ----------------------------------------------------------------------------------------------

DOCS = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])


def blocks(path, kinds=("sh", "bash")):
    for kind, text in re.findall(r"^```(\w*)[^\n]*\n(.*?)^```", path.read_text(), re.M | re.S):
        if kind in kinds:
            yield text


def here_document(file):
    """Files that a block of docs/operations.md writes."""
    for text in blocks(ROOT / "docs/operations.md"):
        found = re.search(rf"^cat >{re.escape(file)} <<'END'\n(.*?)^END$", text, re.M | re.S)
        if found:
            return found[1]
    raise AssertionError(f"no block writes {file}")


# Where the command blocks of each section of docs/operations.md are executed.
EXECUTED = {
    "One machine, with containers": {
        "tests/scripts/test-docker": "docker-compose",
        "scripts/prove-image": "docker/Dockerfile",
    },
    "One machine, without containers": {
        "scripts/machine.sh": "run_section 'One machine, without containers'"
    },
    "Backups": {"scripts/machine.sh": "run_section Backups"},
    "Ledger checks": {"scripts/machine.sh": "run_section 'Ledger checks'"},
    "Puzzles": {"tests/db/test_puzzle_mining.py": 'mine("mine"'},
}


def test_every_command_block_of_operations_md_is_executed_somewhere():
    sections = re.split(r"^## (.*)$", (ROOT / "docs/operations.md").read_text(), flags=re.M)
    assert {title for title, text in zip(sections[1::2], sections[2::2]) if "\n```sh\n" in text} == set(
        EXECUTED
    )
    for places in EXECUTED.values():
        for place, words in places.items():
            assert words in (ROOT / place).read_text(), (place, words)


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_commands_in_documents_exist(path):
    """Scripts and files of this repository, the program's commands, and its flags."""
    known = subprocess.run([RUMMYD, "help"], capture_output=True, text=True, check=True).stdout
    commands = set(re.findall(r"^  ([a-z-]+) ", known.split("\nkeys ")[0], re.M))
    for text in blocks(path):
        assert (
            subprocess.run(
                ["bash", "-n"], input=re.sub(r"…", "x", text), text=True, capture_output=True
            ).returncode
            == 0
        ), text
        for word in re.findall(r"(?:^|[\s'\"(])((?:scripts|docker|db|bench|tests|sdk|web)/[\w./@-]+)", text):
            word = word.rstrip(".")
            if (
                "*" not in word
                and "node_modules" not in word
                and "/dist" not in word
                and not word.endswith(".env")
                and "/build" not in word
            ):
                assert list(ROOT.glob(word)) or (ROOT / word).exists() or list(ROOT.glob(word + "*")), (
                    f"{path.name}: {word}"
                )
        for line in text.replace("\\\n", " ").splitlines():
            for found in re.finditer(r"(?:^|[\s(;&|])(?:\S*/)?rummyd ([a-z-]+)(.*)", line.split(" #")[0]):
                if found[1] in commands or found[1] in ("help",):
                    for flag in re.findall(r"(?<!\S)--([a-z_-]+)", found[2]):
                        usage = subprocess.run(
                            [RUMMYD, "help", found[1]], capture_output=True, text=True, check=True
                        ).stdout
                        assert f"--{flag}" in usage or f"\n  {flag} " in usage, (
                            f"{path.name}: {found[0]}: --{flag}"
                        )
                else:
                    assert re.search(r"rummyd -|compose|git |docker|id |install|user", line), (
                        f"{path.name}: {line}"
                    )
