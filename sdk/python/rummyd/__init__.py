"""The client of rummyd: REST, live tables, and the lobby, with types from its contracts."""

from .keys import new_key
from .live import Closed, Lobby, Refused, Socket, Table
from .rest import ApiError, Http, Rest, Saved, SessionFile

__all__ = [
    "ApiError",
    "Closed",
    "Http",
    "Lobby",
    "Refused",
    "Rest",
    "Saved",
    "SessionFile",
    "Socket",
    "Table",
    "new_key",
]
