#!/bin/sh
# Exits with 1 if this NATS server must be restarted. A server that can't write, such as on a full disk, disables JetStream until it is
# restarted. While the disk is full, a restart does not help.
set -u
wget -q -T 3 -O - "http://127.0.0.1:${NATS_MONITOR_PORT:-8222}/jsz" | grep -q '"disabled": true' || exit 0
free_kib=$(df -P -k "${NATS_STORE:-/data}" | awk 'NR == 2 { print $4 }')
[ "$free_kib" -lt 16384 ]
