/** The operator's command line as a test runs it: in this process, and what it printed at hand. */
import { runCommandLine } from '../cli/program';

export interface CommandOutcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** @param input what is on its standard input */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<CommandOutcome> {
  let output = '';
  let errors = '';
  const code = await runCommandLine(
    args,
    {
      env,
      output: {
        write: (text) => {
          output += text;
        },
      },
      readInput: async () => input,
      stopped: new AbortController().signal,
    },
    (text) => {
      errors += text;
    },
  );
  return { code, output, errors };
}
