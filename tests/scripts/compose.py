"""The compose files: the files that they mount or build from exist, each image has a version, no service
has a privilege it does not need, only the proxy is exposed, and names and addresses agree. Prints one line
per problem.

    python3 tests/scripts/compose.py [TREE]
"""

import ipaddress
import pathlib
import re
import sys

import yaml

RIGHTS = {"proxy": {"NET_BIND_SERVICE"}}
OURS = {"rummyd", "rummyd-patroni"}
WORLD = {"proxy", "front"}  # services with public ports


def wrong_service(name, service, services, folder):
    if not service.get("read_only"):
        yield "may write to its root"
    if service.get("cap_drop") != ["ALL"] or "no-new-privileges:true" not in service.get("security_opt", []):
        yield "keeps capabilities, or may gain some"
    for right in sorted(set(service.get("cap_add", [])) - RIGHTS.get(name, set())):
        yield f"has the capability {right}"
    if (
        service.get("privileged")
        or service.get("user") in ("root", "0")
        or service.get("pid")
        or service.get("network_mode") == "host"
    ):
        yield "is not shut in"
    if service["image"] not in OURS and not re.search(r":v?\d+\.\d+[\w.-]*$", service["image"]):
        yield f"{service['image']} names no version"
    for mount in service.get("volumes", []):
        if mount.startswith("."):
            if not (folder / mount.split(":")[0]).exists():
                yield f"there is no {mount.split(':')[0]}"
            if not mount.endswith(":ro"):
                yield f"may write to {mount}"
    if (
        "build" in service
        and not (folder / service["build"]["context"] / service["build"]["dockerfile"]).exists()
    ):
        yield "has nothing to be built from"
    for other in set(service.get("depends_on", [])) - set(services):
        yield f"waits for {other}, which is not a service"
    for port in service.get("ports", []):
        if name not in WORLD and not port.startswith("127.0.0.1:"):
            yield f"{port} is for all"


def serves(service):
    """Uses the image's own command, or one that begins with `serve`."""
    return "entrypoint" not in service and service.get("command", ["serve"])[0] == "serve"


def wrong_proxy(compose, name):
    services = compose["services"]
    config = compose["networks"]["default"]["ipam"]["config"][0]
    proxy = services[name]["networks"]["default"]["ipv4_address"]
    if ipaddress.ip_address(proxy) not in ipaddress.ip_network(config["subnet"]):
        yield "the address of the proxy is not in its network"
    if ipaddress.ip_address(proxy) in ipaddress.ip_network(config.get("ip_range", config["subnet"])):
        yield "the address of the proxy is among those given out"
    servers = [service for service in services.values() if service["image"] == "rummyd" and serves(service)]
    if not servers:
        yield "there is no server"
    if any(server["environment"]["RUMMYD_PROXIES"] != proxy for server in servers):
        yield "the server does not believe the proxy"


def wrong_names(compose, folder):
    """Wrong names in the files of Prometheus and Grafana."""
    services = compose["services"]
    scrapes = yaml.safe_load((folder / "prometheus" / "prometheus.yaml").read_text())["scrape_configs"]
    for target in [
        target for scrape in scrapes for static in scrape["static_configs"] for target in static["targets"]
    ]:
        if target.split(":")[0] not in services:
            yield f"Prometheus scrapes {target}, which is not a service"
    for path in sorted((folder / "grafana" / "provisioning" / "datasources").glob("*.yaml")):
        for source in yaml.safe_load(path.read_text())["datasources"]:
            if re.match(r"http://(\w+):9090$", source["url"])[1] not in services:
                yield f"Grafana queries {source['url']}, which is not a service"
    boards = yaml.safe_load((folder / "grafana" / "provisioning" / "dashboards" / "rummyd.yaml").read_text())[
        "providers"
    ][0]["options"]["path"]
    if f"./grafana/dashboards:{boards}:ro" not in services["grafana"]["volumes"]:
        yield f"Grafana looks for boards in {boards}, where none are"


def main(tree):
    for path in ("compose.yaml", "docker/compose.yaml", "docker/cluster/compose.yaml"):
        compose = yaml.safe_load((tree / path).read_text())
        folder = (tree / path).parent
        for name, service in compose["services"].items():
            for wrong in wrong_service(name, service, compose["services"], folder):
                yield f"{path}: {name}: {wrong}"
        for proxy in WORLD & set(compose["services"]):
            for wrong in wrong_proxy(compose, proxy):
                yield f"{path}: {wrong}"
        if "prometheus" in compose["services"]:
            for wrong in wrong_names(compose, folder):
                yield f"{path}: {wrong}"


if __name__ == "__main__":
    found = list(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
