#!/bin/sh
# Removes the files of an installation that no process of the image reads: sources, test code, the unused files of the API
# reference's viewer, and the libraries of Temporal's SDK for other platforms. Run it in the folder of the installation.
set -eu
find libs services workflows -type d \( -name src -o -name testing \) -prune -exec rm -rf {} +
find libs services workflows -type f \( -name 'testing.js*' -o -name '*.test.js*' \) -exec rm {} +
# The gateway serves the viewer's script and stylesheet.
find node_modules/swagger-ui-dist -type f ! -name package.json ! -name 'LICENSE*' ! -name NOTICE \
  ! -name swagger-ui-bundle.js ! -name swagger-ui-bundle.js.LICENSE.txt ! -name swagger-ui.css -exec rm {} +
for library in node_modules/@temporalio/core-bridge/releases/*; do
  case "$library" in
    */"$(uname -m)"-*-linux-gnu) ;;
    *) rm -rf "$library" ;;
  esac
done
