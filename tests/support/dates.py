"""Weeks and times, as the API writes them."""

import datetime


def this_week():
    """The current week in the time zone of the settings, where the next week begins before it does in
    UTC."""
    return f"{datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=2):%G-W%V}"


def from_now(**much):
    """For example from_now(days=30)."""
    return f"{datetime.datetime.now(datetime.UTC) + datetime.timedelta(**much):%Y-%m-%dT%H:%M:%SZ}"
