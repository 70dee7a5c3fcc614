/** Runs the CLI in a test's process and captures its output. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../program';

export interface CommandOutcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
  /** What the command wrote to the stream of the progress bar. */
  readonly progress: string;
}

/**
 * Executes a command line of the CLI, and returns its exit code and output.
 *
 * @param input the content of standard input
 * @param isTerminal whether the progress stream is a terminal
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
  isTerminal = false,
): Promise<CommandOutcome> {
  let output = '';
  let errors = '';
  const drawn = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const progress = text(drawn);
  const code = await runCommandLine(
    args,
    {
      env,
      output: {
        write: (text) => {
          output += text;
        },
      },
      progress: drawn,
      readInput: async () => input,
      catchStop: () => new AbortController().signal,
    },
    (text) => {
      errors += text;
    },
  );
  drawn.end();
  return { code, output, errors, progress: await progress };
}
