#!/bin/sh
# Removes what no process of the image reads: sources, tests, the rest of the reference's viewer, and the workflow engine's
# libraries for other platforms.
set -eu
find libs services workflows -type d -name src -prune -exec rm -rf {} +
# Of the reference's viewer, the gateway serves its script and its stylesheet.
find node_modules/swagger-ui-dist -type f ! -name package.json ! -name 'LICENSE*' ! -name NOTICE \
  ! -name swagger-ui-bundle.js ! -name swagger-ui-bundle.js.LICENSE.txt ! -name swagger-ui.css -exec rm {} +
for library in node_modules/@temporalio/core-bridge/releases/*; do
  case "$library" in
    */"$(uname -m)"-*-linux-gnu) ;;
    *) rm -rf "$library" ;;
  esac
done
