"""Verifies deliveries with the library standardwebhooks, as a receiver in Python would.

Reads from standard input, a line of JSON each: {"secret", "headers", "body"}, the body in base64 as it came. Answers each with a
line of JSON: {"event": what the library read} or {"refused": its reason}.
"""

import base64
import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

for line in sys.stdin:
    delivery = json.loads(line)
    try:
        event = Webhook(delivery["secret"]).verify(base64.b64decode(delivery["body"]), delivery["headers"])
        print(json.dumps({"event": event}), flush=True)
    except WebhookVerificationError as error:
        print(json.dumps({"refused": str(error)}), flush=True)
