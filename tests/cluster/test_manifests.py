"""docker/kubernetes and docker/systemd: they are valid according to Kubernetes' own schemas and systemd,
and their names agree."""

import subprocess

import pytest
import yaml
from support.cluster import ROOT, RUMMYD

MANIFESTS = ROOT / "docker/kubernetes/rummyd.yaml"
VALIDATE = ROOT / "tests/.venv/bin/kubernetes-validate"
UNIT = ROOT / "docker/systemd/rummyd@.service"
VERSIONS = ["1.25", "1.31", "1.37"]


def valid(file, version):
    command = [VALIDATE, "--strict", "-k", version, file]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def manifests():
    return list(yaml.safe_load_all(MANIFESTS.read_text()))


def of_kind(kind):
    return [each for each in manifests() if each["kind"] == kind]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_manifests_match_the_kubernetes_schemas(version):
    done = valid(MANIFESTS, version)
    assert done.returncode == 0 and (done.stdout + done.stderr).count(" passed ") == len(manifests()), (
        done.stdout + done.stderr
    )


def test_an_unknown_kubernetes_field_is_detected(tmp_path):
    (tmp_path / "spoilt.yaml").write_text(MANIFESTS.read_text().replace("readinessProbe:", "readynessProbe:"))
    assert valid(tmp_path / "spoilt.yaml", VERSIONS[-1]).returncode != 0


def test_each_node_has_a_service_and_a_route():
    (nodes,) = of_kind("StatefulSet")
    names = [f"{nodes['metadata']['name']}-{n}" for n in range(nodes["spec"]["replicas"])]
    services = {each["metadata"]["name"]: each["spec"] for each in of_kind("Service")}
    for name in names:
        assert services[name]["selector"] == {"statefulset.kubernetes.io/pod-name": name}
    paths = [
        path
        for each in of_kind("Ingress")
        for rule in each["spec"]["rules"]
        for path in rule["http"]["paths"]
    ]
    ways = {path["path"]: path["backend"]["service"]["name"] for path in paths}
    assert {path: ways[path] for path in ways if path != "/"} == {
        f"/ws/n/{name}/(.*)": name for name in names
    }
    assert nodes["spec"]["serviceName"] in services


def test_every_setting_is_an_option_of_the_program():
    known = subprocess.run([RUMMYD, "help"], capture_output=True, text=True, check=True).stdout
    (nodes,), (settings,) = of_kind("StatefulSet"), of_kind("ConfigMap")
    (container,) = nodes["spec"]["template"]["spec"]["containers"]
    named = [each["name"] for each in container["env"]] + list(settings["data"])
    assert len(named) > 8
    for name in named:
        assert name == "RUMMYD_JWT_SECRET" or f"\n  {name.removeprefix('RUMMYD_').lower()} " in known, name


def test_a_node_has_time_to_hand_over_its_tables():
    (nodes,) = of_kind("StatefulSet")
    (budget,) = of_kind("PodDisruptionBudget")
    pod = nodes["spec"]["template"]
    assert pod["spec"]["terminationGracePeriodSeconds"] >= 30 and budget["spec"]["maxUnavailable"] == 1
    assert budget["spec"]["selector"]["matchLabels"] == pod["metadata"]["labels"]
    (container,) = pod["spec"]["containers"]
    assert container["lifecycle"]["preStop"]["exec"]["command"][0] == "sleep"


def analyzed(folder, text):
    (folder / "rummyd@n1.service").write_text(text.replace("/opt/rummyd/build/rummyd", "/bin/true"))
    return subprocess.run(
        ["systemd-analyze", "verify", folder / "rummyd@n1.service"],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_unit_is_valid_for_systemd(tmp_path):
    done = analyzed(tmp_path, UNIT.read_text())
    assert done.returncode == 0 and "rummyd@" not in done.stderr, done.stderr
    assert "rummyd@" in analyzed(tmp_path, UNIT.read_text().replace("ProtectHome", "ProtectHouse")).stderr
