"""A real Prometheus with docker/prometheus/ scrapes a real server with a running game: its rules are healthy,
no alert fires, and every expression of the dashboard returns a series."""

import asyncio
import json
import re
import subprocess
import time
import uuid

import pytest
import requests
import yaml
from support.cluster import ROOT
from support.contract import Client
from support.keys import make_key
from support.metrics import wait_for
from support.server import free_port
from support.table import Player, open_table
from support.wait import HANG_S, until

BOARD = json.loads((ROOT / "docker" / "grafana" / "dashboards" / "rummyd.json").read_text())
EXPRESSIONS = [
    (panel["title"], target["expr"]) for panel in BOARD["panels"] for target in panel.get("targets", [])
]


class Prometheus:
    """Prometheus with the configuration of docker/, except for the target and an interval of 1 s."""

    def __init__(self, server, folder):
        config = yaml.safe_load((ROOT / "docker" / "prometheus" / "prometheus.yaml").read_text())
        assert [scrape["job_name"] for scrape in config["scrape_configs"]] == ["rummyd"]
        config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        config["scrape_configs"][0]["static_configs"] = [{"targets": [f"127.0.0.1:{server.http_port}"]}]
        (folder / "prometheus.yaml").write_text(yaml.safe_dump(config))
        (folder / "rules.yaml").write_text((ROOT / "docker" / "prometheus" / "rules.yaml").read_text())
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/api/v1/"
        with open(folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [
                    "prometheus",
                    f"--config.file={folder}/prometheus.yaml",
                    f"--storage.tsdb.path={folder}/data",
                    f"--web.listen-address=127.0.0.1:{port}",
                    "--log.level=warn",
                ],
                stdout=log,
                stderr=log,
            )
        self.log = folder / "log"

    def wait(self, seconds=60):
        deadline = time.monotonic() + seconds
        while not self.up():
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.2)

    def up(self):
        """Prometheus responds, and has scraped our server."""
        try:
            return any(value["value"][1] == "1" for value in self.query('up{job="rummyd"}'))
        # it replies with text that it is not ready
        except (requests.ConnectionError, requests.JSONDecodeError):
            return False

    def get(self, path, **params):
        answer = requests.get(self.url + path, params=params, timeout=HANG_S).json()
        assert answer["status"] == "success", answer
        return answer["data"]

    def query(self, expr):
        return self.get("query", query=expr)["result"]

    def stop(self):
        self.process.terminate()
        self.process.wait(HANG_S)


@pytest.fixture(scope="module")
def asked(server, cluster, tmp_path_factory):
    """A Prometheus that has scraped a server for a while."""
    it = Prometheus(server, tmp_path_factory.mktemp("prometheus"))
    try:
        it.wait()
        operator = Client(server)
        operator.token = make_key(cluster.conninfo(server.database), "owner")
        operator.call(
            "POST", "/v1/admin/jobs/upkeep", {}, headers={"Idempotency-Key": uuid.uuid4().hex}, status=200
        )
        operator.get("/v1/admin/ledger/proof")

        async def play():
            async with open_table(Player(server)) as table:
                await table.sit_down()
                for _ in range(3):
                    if await table.my_turn_comes():
                        await table.step()

        asyncio.run(play())
        wait_for(server, lambda seen: seen['rummyd_job_done_at_seconds{name="upkeep"}'] > 0, HANG_S)
        yield it
    finally:
        it.stop()


def test_all_rules_are_healthy_and_no_alert_fires(asked):
    def rules():
        return [rule for group in asked.get("rules")["groups"] for rule in group["rules"]]

    assert len(rules()) > 25
    until(lambda: {rule["health"] for rule in rules()} == {"ok"}, rules)
    assert not [alert for alert in asked.get("alerts")["alerts"] if alert["state"] == "firing"]
    for rule in rules():
        if rule["type"] == "recording":
            until(lambda: asked.query(rule["name"]), rule["name"])


@pytest.mark.parametrize(
    "title, expr", EXPRESSIONS, ids=[f"{n} {title}" for n, (title, _) in enumerate(EXPRESSIONS)]
)
def test_each_dashboard_expression_returns_a_series(asked, title, expr):
    real = expr.replace("$instance", ".*").replace("$__rate_interval", "1m")
    assert "$" not in re.sub(r'"[^"]*"', "", real), real
    until(lambda: asked.query(real), (title, real))


def test_the_dashboard_counts_the_moves_played(asked):
    exprs = {title: expr for title, expr in EXPRESSIONS if title in ("Tables", "Moves a second")}
    moves = exprs["Moves a second"].replace("$instance", ".*").replace("$__rate_interval", "2m")
    until(lambda: any(float(series["value"][1]) > 0 for series in asked.query(moves)), "no moves")
