#!/usr/bin/env node
// The executable that npm links as `carecover`. It runs dist/main.js, which is compiled from src/main.ts.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const main = join(__dirname, '../dist/main.js');
if (existsSync(main)) {
  // Node 20 prints an ExperimentalWarning when `require` loads an ES module. This function suppresses that warning and prints all others.
  const emit = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emit.call(process, warning, ...rest);
  };
  require(main);
} else {
  process.stderr.write('carecover: The CLI is not built. Run "npm run build" or "npm start" first.\n');
  process.exitCode = 1;
}
