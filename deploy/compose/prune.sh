#!/bin/sh
# Removes the files of an installation that no process of the image reads: sources, test code, and the libraries of
# Temporal's SDK for other platforms. Run it in the folder of the installation.
set -eu
find libs services workflows -type d \( -name src -o -name testing \) -prune -exec rm -rf {} +
find libs services workflows -type f \( -name 'testing.js*' -o -name '*.test.js*' \) -exec rm {} +
for library in node_modules/@temporalio/core-bridge/releases/*; do
  case "$library" in
    */"$(uname -m)"-*-linux-gnu) ;;
    *) rm -rf "$library" ;;
  esac
done
