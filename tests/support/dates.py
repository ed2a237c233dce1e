"""Weeks and times, as the API writes them."""

import datetime


def this_week():
    """In the time zone of the settings: between two UTC days it is the next week already."""
    return f"{datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=2):%G-W%V}"


def from_now(**much):
    """For example from_now(days=30)."""
    return f"{datetime.datetime.now(datetime.UTC) + datetime.timedelta(**much):%Y-%m-%dT%H:%M:%SZ}"
