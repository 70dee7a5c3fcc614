"""Receives Carecover's webhooks in Python. WEBHOOK_SECRET is the endpoint's signing secret (whsec_…)."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any

from carecover import WebhookVerificationError, verify_webhook

SECRET = os.environ.get("WEBHOOK_SECRET", "")
if SECRET == "":
    raise SystemExit("set WEBHOOK_SECRET to the signing secret of the endpoint")
MAX_BODY_BYTES = 64 * 1024

# In production, insert the event into your database in do_POST, with its ID as a unique key, and process it from there.
# A queue and a set in memory are lost at a restart, and are not shared between processes.
events: Queue[dict[str, Any]] = Queue()
received_ids: set[str] = set()


def process_events() -> None:
    while True:
        event = events.get()
        if event["id"] not in received_ids:
            received_ids.add(event["id"])
            print(f"received {event['type']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    # The time in seconds for which the receiver waits for further bytes of a request. Then it closes the connection.
    timeout = 15

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "0")
        if self.path != "/hooks":
            return self.respond(404)
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return self.respond(413)
        # The signature covers the exact bytes, so they are verified before any other code parses them.
        body = self.rfile.read(int(length))
        try:
            events.put(verify_webhook(body, dict(self.headers), SECRET))
        except WebhookVerificationError:
            return self.respond(400)
        self.respond(204)

    def respond(self, status: int) -> None:
        # The connection ends after each response, because the body of a rejected request is not read.
        self.send_response(status)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass


Thread(target=process_events, daemon=True).start()
server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver)
print(f"listening on port {server.server_port}", flush=True)
server.serve_forever()
