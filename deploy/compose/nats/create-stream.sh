#!/bin/sh
# Creates the event stream if it is missing. The password is in the environment, because other users can read command lines.
set -eu
NATS_PASSWORD="$(cat /run/secrets/nats_operator_password)"
export NATS_PASSWORD
# The user can read replies only in this inbox.
nats="nats --inbox-prefix=_INBOX.operator"
$nats stream info CARECOVER_EVENTS > /dev/null || $nats stream add --config /stream.json
