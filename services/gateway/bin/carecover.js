#!/usr/bin/env node
// The operator's tool. This file is what npm links; the tool itself is built from src/cli.ts.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const tool = join(__dirname, '../dist/cli.js');
if (existsSync(tool)) {
  // Packages that are ES modules only are required, which Node 20 calls experimental each time.
  const emit = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emit.call(process, warning, ...rest);
  };
  require(tool);
} else {
  process.stderr.write('carecover: the tool is not built yet: run "npm run build" (or "npm start") first.\n');
  process.exitCode = 1;
}
