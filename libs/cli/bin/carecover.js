#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// The executable that npm links as `carecover`. It runs dist/main.js, which is compiled from src/main.ts. The option suppresses the warning
// of Node 20 that `require` of an ES module is experimental.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const main = join(__dirname, '../dist/main.js');
if (existsSync(main)) {
  require(main);
} else {
  process.stderr.write('carecover: The CLI is not built. Run "npm run build" or "npm start" first.\n');
  process.exitCode = 1;
}
