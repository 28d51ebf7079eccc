"""An account by e-mail, play money, and its balance: by the client that openapi-python-client makes."""

import base64
import os

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from trellis_client import AuthenticatedClient
from trellis_client.api.accounts import create_account, get_balances, verify_account
from trellis_client.api.sandbox import read_outbox, sandbox_airdrop
from trellis_client.models import (
    EmailCreateAccountRequest,
    SandboxAirdropRequest,
    SessionKeyConfig,
    VerifyAccountRequest,
)

client = AuthenticatedClient(
    base_url=os.environ["TRELLIS_URL"],
    token=os.environ["TRELLIS_API_KEY"],
    raise_on_unexpected_status=True,
)
email = "python@example.org"
there = {"client": client, "x_service_environment": "sandbox"}

created = create_account.sync(**there, body=EmailCreateAccountRequest(type_="email", email=email))
assert created.data.status == "pending_verification", created
code = read_outbox.sync(**there, email=email).data[0].otp_code
public_key = ec.generate_private_key(ec.SECP256R1()).public_key()
spki = public_key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
config = SessionKeyConfig(encryption_public_key=base64.b64encode(spki).decode())
verified = verify_account.sync(
    **there, body=VerifyAccountRequest(email=email, otp_code=code, kms_provider_config=config)
)
address = verified.data.address
sandbox_airdrop.sync(**there, body=SandboxAirdropRequest(address=address, currency="usdc", amount="2500000"))
balances = get_balances.sync(address, **there)
[usdc] = [token for token in balances.data.tokens if token.symbol == "USDC"]
assert usdc.amount_decimal == "2.5", balances
print(f"{address} holds {usdc.amount_decimal} USDC")
