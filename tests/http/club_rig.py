"""A club, its owner, a member and a stranger."""

import uuid

import pytest
from support.contract import a_name
from support.totp import PASSWORD


def key():
    return {"Idempotency-Key": uuid.uuid4().hex}


def member(client, club):
    client.call("PUT", f"/v1/clubs/{club}/members/{client.player['id']}", status=200)
    return client


@pytest.fixture
def owner(new_client):
    return new_client().register(f"{uuid.uuid4().hex}@example.org", PASSWORD)


@pytest.fixture
def club(owner):
    return owner.call(
        "POST", "/v1/clubs", {"name": a_name("Owls"), "joining": "open"}, headers=key(), status=201
    ).json()["id"]


@pytest.fixture
def ben(new_client, club):
    return member(new_client().guest(), club)


@pytest.fixture
def cat(new_client):
    return new_client().guest()
