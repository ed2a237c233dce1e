"""Free text in every writing system: it is accepted everywhere and returned unchanged; deceptive text is
refused."""

import functools
import json
import uuid
from pathlib import Path

import pytest
from club_rig import cat, club, key, owner

SHARES_SERVER = True

CORPUS = json.loads((Path(__file__).parents[1] / "texts" / "free_text.json").read_text(encoding="utf-8"))
LABELS = {"a label": "ends with a blank ", "a label in front": "\u00a0x"}


class Places:
    """Each function writes a text and returns the response and, if the text was accepted, what a reader
    gets."""

    def __init__(self, owner, club, cat, holder, sql):
        self.owner, self.club, self.cat, self.sql = owner, club, cat, sql
        self.player = cat.player["id"]
        self.holder = functools.cache(holder)  # a key of each role

    def club_about(self, text):
        answer = self.owner.call("PATCH", f"/v1/clubs/{self.club}", {"about": text})
        return answer, lambda: self.owner.get(f"/v1/clubs/{self.club}")["about"]

    def club_chat(self, text):
        self.sql("UPDATE club_chat SET at = at - interval '1 minute' WHERE club_id = %s", int(self.club))
        answer = self.owner.call("POST", f"/v1/clubs/{self.club}/chat", {"text": text}, headers=key())
        return answer, lambda: self.owner.get(f"/v1/clubs/{self.club}/chat")["items"][0]["text"]

    def club_report(self, text):
        self.sql("DELETE FROM reports WHERE club_id = %s", int(self.club))
        body = {"reason": "other", "text": text}
        answer = self.cat.call("POST", f"/v1/clubs/{self.club}/reports", body, headers=key())
        return (
            answer,
            lambda: next(
                report["text"]
                for report in self.holder("support").get("/v1/admin/reports")["items"]
                if report.get("club_id") == self.club
            ),
        )

    def key_holder(self, text):
        body = {"name": uuid.uuid4().hex, "role": "jobs", "holder": text}
        answer = self.holder("owner").call("POST", "/v1/admin/keys", body, headers=key())
        return answer, lambda: answer.json()["key"]["holder"]

    def grant_note(self, text):
        body = {"currency": "silver", "amount": 1, "reason": "goodwill", "note": text}
        answer = self.holder("owner").call(
            "POST", f"/v1/admin/players/{self.player}/grants", body, headers=key()
        )
        return answer, lambda: answer.json()["note"]

    def room_name(self, text):
        answer = self.holder("games").call("PATCH", "/v1/admin/rooms/desert", {"name": text})
        return answer, lambda: answer.json()["name"]

    def player_note(self, text):
        answer = self.holder("support").call(
            "POST", f"/v1/admin/players/{self.player}/notes", {"note": text}, headers=key()
        )
        return (
            answer,
            lambda: self.holder("support").get(f"/v1/admin/players/{self.player}")["notes"][0]["text"],
        )

    def mute_reason(self, text):
        body = {"hours": 0, "reason": text}
        return (
            self.holder("support").call("POST", f"/v1/admin/players/{self.player}/mute", body, headers=key()),
            None,
        )

    def tournament_name(self, text):
        body = {
            "name": text,
            "kind": "knockout",
            "variant": "straight",
            "seats": 2,
            "entry": 10,
            "entries_max": 4,
        }
        answer = self.holder("games").call("POST", "/v1/admin/tournaments", body, headers=key())
        return answer, lambda: self.holder("games").get("/v1/admin/tournaments?limit=1")["items"][0]["name"]


LINES = ("player_note", "mute_reason", "grant_note", "club_report")


@pytest.fixture
def places(owner, club, cat, holder, sql):
    return Places(owner, club, cat, holder, sql)


@pytest.mark.parametrize("place", [name for name in vars(Places) if not name.startswith("_")])
def test_every_writing_system_is_accepted_and_returned_unchanged(places, place):
    for name, text in CORPUS["accepted"].items():
        answer, read = getattr(places, place)(text)
        assert answer.status_code < 300, (place, name, answer.text)
        assert read is None or read() == text, (place, name)


@pytest.mark.parametrize("place", [name for name in vars(Places) if not name.startswith("_")])
def test_deceptive_text_is_refused_with_the_same_code(places, place):
    refused = {
        name: text
        for name, text in CORPUS["refused"].items()
        if place not in LINES or not name.startswith("nothing visible")
    }
    for name, text in {**refused, **({} if place in (*LINES, "club_chat") else LABELS)}.items():
        answer, _ = getattr(places, place)(text)
        assert answer.status_code == 422, (place, name, answer.text)
        assert [fault["code"] for fault in answer.json()["errors"]] == ["bad_characters"], (place, name)
