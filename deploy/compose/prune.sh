#!/bin/sh
# Removes what no process of the image reads: sources, tests, and the workflow engine's libraries for other platforms.
set -eu
find libs services workflows -type d -name src -prune -exec rm -rf {} +
for library in node_modules/@temporalio/core-bridge/releases/*; do
  case "$library" in
    */"$(uname -m)"-*-linux-gnu) ;;
    *) rm -rf "$library" ;;
  esac
done
