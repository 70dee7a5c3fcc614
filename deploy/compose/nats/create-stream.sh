#!/bin/sh
# Creates the event stream where it is missing. The password goes by the environment: command lines are readable by others.
set -eu
NATS_PASSWORD="$(cat /run/secrets/nats_operator_password)"
export NATS_PASSWORD
# Replies must come to the inbox that the user may read.
nats="nats --inbox-prefix=_INBOX.operator"
$nats stream info CARECOVER_EVENTS > /dev/null || $nats stream add --config /stream.json
