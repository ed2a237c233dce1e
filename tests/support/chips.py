"""Chips of a new account, as the setting `welcome_silver` gives them."""

WELCOME_SILVER = 60
