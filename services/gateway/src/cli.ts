/** The process of `carecover`, the operator's tool. */
import { text } from 'node:stream/consumers';
import { runCommandLine } from './cli/program';

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());

void runCommandLine(
  process.argv.slice(2),
  {
    env: process.env,
    output: process.stdout,
    progress: process.stderr,
    readInput: () => text(process.stdin),
    stopped: stopping.signal,
  },
  (message) => process.stderr.write(message),
).then((code) => {
  process.exitCode = code;
});
