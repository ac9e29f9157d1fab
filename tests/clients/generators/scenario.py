"""An integration with the generated client: a client of the business, a quote, the quote as read, its PDF, a refusal."""

import json
import os

from quoting import AuthenticatedClient
from quoting.api.clients import create_client, list_clients
from quoting.api.quotes import create_quote, download_quote_pdf, get_quote
from quoting.models import Client, ClientInput, Error, Quote, QuoteInput, QuoteItemInput

api = AuthenticatedClient(base_url=os.environ["QUOTING_URL"], token=os.environ["QUOTING_KEY"])

client = create_client.sync(client=api, body=ClientInput(contact_name="Laura Méndez", email="laura@lapalma.test"))
items = [QuoteItemInput(product_name="Silla ejecutiva", unit_price=1850.5, quantity=4)]
created = create_quote.sync(client=api, body=QuoteInput(client_id=client.id, items=items), idempotency_key="order-1")
again = create_quote.sync(client=api, body=QuoteInput(client_id=client.id, items=items), idempotency_key="order-1")
quote = get_quote.sync(created.id, client=api)
page = list_clients.sync(client=api)
pdf = download_quote_pdf.sync(created.id, client=api)
refusal = get_quote.sync("c0", client=api)

assert isinstance(quote, Quote) and isinstance(refusal, Error) and isinstance(page.data[0], Client)
print(
    json.dumps(
        {
            "created": created.total,
            "read": quote.total,
            "status": quote.status.value,
            "line": quote.items[0].product_name,
            "repeated": again.id == created.id,
            "clients": page.total,
            "pdf": pdf.payload.read(5).decode(),
            "refusal": refusal.code,
        }
    )
)
