"""The values of /metrics."""

import re
import time

import requests

from .wait import HANG_S


class Metrics:
    """One scrape: the values by name and labels, such as `rummyd_logins_total{outcome="ok"}`."""

    def __init__(self, server):
        self.text = requests.get(server.url + "/metrics", timeout=HANG_S).text
        self.samples = {
            name: float(value) for name, value in re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", self.text, re.M)
        }

    def __getitem__(self, name):
        return self.samples[name]


def moved(server, before, name):
    """The change since an earlier scrape."""
    return Metrics(server)[name] - before[name]


def wait_for(server, holds, within=HANG_S):
    """Waits for the first scrape that meets the condition, and returns it."""
    began = time.monotonic()
    while not holds(seen := Metrics(server)):
        waited = time.monotonic() - began
        assert waited < within, {
            name: value for name, value in seen.samples.items() if value and "bucket" not in name
        }
        time.sleep(min(0.1 + waited / 20, 0.5))  # lapse: the loop polls again
    return seen
