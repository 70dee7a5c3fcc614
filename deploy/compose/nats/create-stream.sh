#!/bin/sh
# Creates the event stream if it is missing. The password is passed in the environment, because other users can read command lines.
set -eu
NATS_PASSWORD="$(cat /run/secrets/nats_operator_password)"
export NATS_PASSWORD
# The NATS user operator can read replies only under this inbox prefix.
nats="nats --inbox-prefix=_INBOX.operator"
$nats stream info CARECOVER_EVENTS > /dev/null || $nats stream add --config /stream.json
