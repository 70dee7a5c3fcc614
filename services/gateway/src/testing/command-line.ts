/** The operator's command line as a test runs it: in this process, and what it printed at hand. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../cli/program';

export interface CommandOutcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
  /** What was drawn while it ran. */
  readonly progress: string;
}

/**
 * @param input what is on its standard input
 * @param isTerminal whether somebody looks at it
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
      stopped: new AbortController().signal,
    },
    (text) => {
      errors += text;
    },
  );
  drawn.end();
  return { code, output, errors, progress: await progress };
}
