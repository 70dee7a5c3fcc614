/** The operator's tool. Each command is a few lines over the functions that do the work; see the folder `operator`. */
import { hasSecret, redactSecrets } from '@carecover/platform';
import { Command, CommanderError } from 'commander';
import { OperatorError } from '../operator/operator-error';
import { addAudit } from './audit';
import { addClaims } from './claims';
import { addDeadLettered } from './dead-letters';
import { addKeys } from './keys';
import { addLedger } from './ledger';
import { addListen } from './listen';
import { addMembers } from './members';
import { addPractitioners } from './practitioners';
import { addProjects } from './projects';
import { addRecoverAfterRestore } from './recover-after-restore';
import { addSettlements } from './settlements';
import type { Surroundings } from './surroundings';
import { addTemporal } from './temporal';

const EPILOGUE = `
It acts on the database as its administrator, named by CARECOVER_ADMIN_DATABASE_URL (postgres://…), or by the file
that CARECOVER_ADMIN_DATABASE_URL_FILE names; in a clone whose local stack runs, it finds that one by itself. What it changes is logged with its author: CARECOVER_OPERATOR,
or the user of this machine.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`;

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

function createProgram(around: Surroundings, writeError: (text: string) => void): Command {
  const program = new Command('carecover')
    .description('Operates Carecover: projects, keys and what concerns people rather than programs.')
    .addHelpText('after', EPILOGUE)
    .showHelpAfterError('(add --help for how it is used)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => around.output.write(text), writeErr: writeError });
  addProjects(program, around);
  addKeys(program, around);
  addPractitioners(program, around);
  addMembers(program, around);
  addClaims(program, around);
  addSettlements(program, around);
  addLedger(program, around);
  addListen(program, around);
  addDeadLettered(program, around);
  addRecoverAfterRestore(program, around);
  addTemporal(program, around);
  addAudit(program, around);
  return program;
}

const SECRET_GIVEN = `carecover: Nothing was done. The command line contains a secret, which other users of this machine and the
shell's history can read: treat it as leaked. Give the secret of a key on standard input instead:
  carecover keys find --secret-stdin
`;

/** Runs one command line (without the program's name); gives the exit code. */
export async function runCommandLine(
  args: readonly string[],
  around: Surroundings,
  writeText: (text: string) => void,
): Promise<number> {
  const writeError = (text: string) => writeText(redactSecrets(text));
  if (args.some(hasSecret)) {
    writeError(SECRET_GIVEN);
    return EXIT_USAGE;
  }
  try {
    await createProgram(around, writeError).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already written its words, and calls help an error too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    const message = error instanceof Error ? error.message : String(error);
    writeError(
      `carecover: ${error instanceof OperatorError ? message : `failed: ${message || 'no answer'}`}\n`,
    );
    return EXIT_FAILED;
  }
}
