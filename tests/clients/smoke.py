"""A client that openapi-python-client builds from openapi.yaml: a guest signs in, takes a seat, reads the
purse, and gets an error. test_generated.py generates `rest` next to it and runs it with the address of a
server."""

import json
import sys
import uuid

from rest import AuthenticatedClient, Client
from rest.api.auth import enter_as_guest
from rest.api.tables import list_variants, open_table
from rest.api.wallet import get_wallet
from rest.models import GuestRequest, Problem, Seat, Session, TableOptions, TableRequest, VariantList, Wallet
from rest.models import TableOptionsAce as Ace
from rest.models import TableRequestBotLevel as Level

address = sys.argv[1]
session = enter_as_guest.sync(client=Client(base_url=address), body=GuestRequest())
assert isinstance(session, Session)
client = AuthenticatedClient(base_url=address, token=session.access_token)

variants = list_variants.sync(client=client)
assert isinstance(variants, VariantList)


def table(target):
    options = TableOptions(target=target, ace=Ace.HIGH)
    body = TableRequest(variant="straight", seats=2, options=options, bots=1, bot_level=Level.EASY)
    return open_table.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))


seat = table(100)
assert isinstance(seat, Seat)
wallet = get_wallet.sync(client=client)
assert isinstance(wallet, Wallet)
refused = table(9)
assert isinstance(refused, Problem) and refused.errors
print(
    json.dumps(
        {
            "player": session.player.to_dict(),
            "variants": len(variants.items),
            "seat": seat.to_dict(),
            "wallet": wallet.to_dict(),
            "refused": [refused.code, refused.errors[0].code, refused.errors[0].pointer],
        }
    )
)
