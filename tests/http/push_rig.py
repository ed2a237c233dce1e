"""Fake push services, for the tests of a file."""

import pytest
from support.push_service import AppServices, PushService


@pytest.fixture(scope="module")
def service():
    """The push service of browsers."""
    it = PushService()
    yield it
    it.close()


@pytest.fixture(scope="module")
def apps(tmp_path_factory):
    """Firebase and Apple."""
    it = AppServices(tmp_path_factory.mktemp("apps"))
    yield it
    it.close()
