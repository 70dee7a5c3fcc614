/** The operator CLI: its commands, exit codes and error messages. */

import { OperatorError } from '@carecover/gateway';
import { hasSecret, redactSecrets } from '@carecover/platform';
import { Command, CommanderError } from 'commander';
import type { CommandContext } from './command-context';
import { addAudit } from './commands/audit';
import { addClaims } from './commands/claims';
import { addCoverages } from './commands/coverages';
import { addDeadLetters } from './commands/dead-letters';
import { addKeys } from './commands/keys';
import { addLedger } from './commands/ledger';
import { addListen } from './commands/listen';
import { addMembers } from './commands/members';
import { addPractitioners } from './commands/practitioners';
import { addProjects } from './commands/projects';
import { addRecoverAfterRestore } from './commands/recover-after-restore';
import { addSettlements } from './commands/settlements';
import { addTemporal } from './commands/temporal';

const EPILOGUE = `
It connects to the database as the administrator. CARECOVER_ADMIN_DATABASE_URL (postgres://…) is the address, or
CARECOVER_ADMIN_DATABASE_URL_FILE names a file that contains it. Without either, it uses the local stack that runs in the clone.
Every change is logged with its author: CARECOVER_OPERATOR, or the user of this machine.

Exit codes: 0 success, 1 rejected or failed, 2 wrong usage.`;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

function createProgram(context: CommandContext, writeError: (text: string) => void): Command {
  const program = new Command('carecover')
    .description('Operates Carecover: projects, keys and the data that has no operation in the API.')
    .addHelpText('after', EPILOGUE)
    .showHelpAfterError('(add --help for usage)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => context.output.write(text), writeErr: writeError });
  addProjects(program, context);
  addKeys(program, context);
  addPractitioners(program, context);
  addMembers(program, context);
  addClaims(program, context);
  addCoverages(program, context);
  addSettlements(program, context);
  addLedger(program, context);
  addListen(program, context);
  addDeadLetters(program, context);
  addRecoverAfterRestore(program, context);
  addTemporal(program, context);
  addAudit(program, context);
  return program;
}

const SECRET_IN_ARGUMENTS = `carecover: Nothing was changed. The command line contains a secret. Other users of this machine and the shell's history
can read it, so treat it as leaked. Pass the secret of a key on standard input instead:
  carecover keys find --secret-stdin
`;

/** Executes one command line, given without the program's name, and returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  context: CommandContext,
  writeText: (text: string) => void,
): Promise<number> {
  const writeError = (text: string) => writeText(redactSecrets(text));
  if (args.some(hasSecret)) {
    writeError(SECRET_IN_ARGUMENTS);
    return EXIT_USAGE;
  }
  try {
    await createProgram(context, writeError).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed its message. It throws for --help too, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    const message = error instanceof Error ? error.message : String(error);
    writeError(
      `carecover: ${error instanceof OperatorError ? message : `failed: ${message || 'no response'}`}\n`,
    );
    return EXIT_FAILED;
  }
}
