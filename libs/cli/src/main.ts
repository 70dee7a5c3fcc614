/** The process of `carecover`, the operator CLI. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from './program';

/**
 * Reads all of standard input. On a terminal it reads one line without echo, because the line can be a secret, and returns an empty text if
 * the input ends before the line.
 */
async function readInput(): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write('(input is not shown; press Enter to end it) ');
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: noEcho, terminal: true });
  // While the line is read, the terminal sends Ctrl-C as a character and not as SIGINT. The close restores the terminal's mode.
  lines.once('SIGINT', () => {
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
    return line;
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** Whether a part of the output is missing for another reason than that its reader has ended. */
let isOutputIncomplete = false;

// A command completes although its output can't be written, because what it does must not stop halfway. If the program that reads the
// output has ended, as in `carecover claims list | head`, that is no failure of the command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isOutputIncomplete) return;
    isOutputIncomplete = true;
    process.exitCode = 1;
    process.stderr.write(
      `carecover: The output is incomplete, because it can't be written: ${error.code}.\n`,
    );
  });
}

/** Makes the next SIGINT or SIGTERM abort the returned signal. A second one ends the process. */
function catchStop(): AbortSignal {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  process.once('SIGTERM', () => stopping.abort());
  return stopping.signal;
}

void runCommandLine(
  process.argv.slice(2),
  {
    env: process.env,
    output: process.stdout,
    progress: process.stderr,
    readInput,
    catchStop,
  },
  (message) => process.stderr.write(message),
).then((code) => {
  process.exitCode = isOutputIncomplete ? 1 : code;
});
