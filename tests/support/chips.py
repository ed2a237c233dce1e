"""Chips of a new account (setting `welcome_silver`)."""

WELCOME_SILVER = 60
