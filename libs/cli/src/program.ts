/** The operator CLI: its commands, exit codes and error messages. */

import { hasSecret, redactSecrets } from '@carecover/telemetry/redact';
import { Command, CommanderError } from 'commander';
import type { CommandContext } from './command-context';
import { escapeControlsInLines } from './output';

interface TopCommand {
  readonly name: string;
  readonly description: string;
  /** Loads the module that adds the command's arguments, options and subcommands. */
  readonly load: () => Promise<(command: Command, context: CommandContext) => void>;
}

/** The commands. Only the modules of the commands that a command line names are loaded, so that each call starts fast. */
const COMMANDS: readonly TopCommand[] = [
  {
    name: 'projects',
    description: 'create, list and change projects',
    load: async () => (await import('./commands/projects')).addProjects,
  },
  {
    name: 'keys',
    description: "create, list, rotate and revoke projects' keys",
    load: async () => (await import('./commands/keys')).addKeys,
  },
  {
    name: 'practitioners',
    description: "projects' directories of practitioners",
    load: async () => (await import('./commands/practitioners')).addPractitioners,
  },
  {
    name: 'members',
    description: "projects' members",
    load: async () => (await import('./commands/members')).addMembers,
  },
  {
    name: 'show',
    description:
      'print the history of a claim (facts, authors of decisions, amounts), as known now or at an earlier instant; or the state of another resource',
    load: async () => (await import('./commands/show')).addShow,
  },
  {
    name: 'claims',
    description: "projects' claims",
    load: async () => (await import('./commands/claims')).addClaims,
  },
  {
    name: 'remittances',
    description: "payers' remittances, and why they are reconciled or not",
    load: async () => (await import('./commands/remittances')).addRemittances,
  },
  {
    name: 'advices',
    description:
      "payers' advices with denials, takebacks and adjustments, also from files, and what payers will deduct",
    load: async () => (await import('./commands/advices')).addAdvices,
  },
  {
    name: 'receivables',
    description:
      'what payers owe to a project, as it was known at an instant: by age in days, practitioner and payer',
    load: async () => (await import('./commands/receivables')).addReceivables,
  },
  {
    name: 'valuation',
    description:
      'valuation runs: sums over all claims of a project as known at an instant, and triangles; verify them, and derive the sums again from the facts',
    load: async () => (await import('./commands/valuation')).addValuation,
  },
  {
    name: 'bulk',
    description: 'bulk jobs: submit a file whose lines are executed, follow its progress, read its results',
    load: async () => (await import('./commands/bulk')).addBulk,
  },
  {
    name: 'clock',
    description: 'the clock of a sandbox project whose time is simulated: show it, move it forward',
    load: async () => (await import('./commands/clock')).addClock,
  },
  {
    name: 'demo',
    description: 'fill a new sandbox project whose time is simulated with years of claims, and print its key',
    load: async () => (await import('./commands/demo')).addDemo,
  },
  {
    name: 'coverages',
    description: "payers' statements about coverages",
    load: async () => (await import('./commands/coverages')).addCoverages,
  },
  {
    name: 'settlements',
    description: "projects' settlements",
    load: async () => (await import('./commands/settlements')).addSettlements,
  },
  {
    name: 'webhooks',
    description: 'deliveries of events: list, explain and repeat them',
    load: async () => (await import('./commands/webhooks')).addWebhooks,
  },
  {
    name: 'ledger',
    description: 'the ledger of payments',
    load: async () => (await import('./commands/ledger')).addLedger,
  },
  {
    name: 'listen',
    description: "forward a project's new events to your URL, signed like webhooks, until stopped",
    load: async () => (await import('./commands/listen')).addListen,
  },
  {
    name: 'mcp',
    description:
      'print what to paste into the configurations of agents, to connect them with the MCP endpoint',
    load: async () => (await import('./commands/mcp')).addMcp,
  },
  {
    name: 'commands',
    description: 'commands that the services rejected, with the reasons',
    load: async () => (await import('./commands/commands')).addCommands,
  },
  {
    name: 'dead-letters',
    description: "events that the stream rejects, and messages that the webhooks service can't parse",
    load: async () => (await import('./commands/dead-letters')).addDeadLetters,
  },
  {
    name: 'recover-after-restore',
    description:
      'recover after a restore of PostgreSQL or Temporal, while the services are stopped: repeat the erasures of members, end every workflow run and empty the event stream; the services create runs and messages again from the facts',
    load: async () => (await import('./commands/recover-after-restore')).addRecoverAfterRestore,
  },
  {
    name: 'temporal',
    description: "Temporal's namespace",
    load: async () => (await import('./commands/temporal')).addTemporal,
  },
  {
    name: 'audit',
    description: "the append-only log of operators' changes, in this CLI and in the console",
    load: async () => (await import('./commands/audit')).addAudit,
  },
];

const EPILOGUE = `
It connects to the database as the administrator. CARECOVER_ADMIN_DATABASE_URL (postgres://…) is the address, or
CARECOVER_ADMIN_DATABASE_URL_FILE names a file that contains it. Without either, it uses the local stack that runs in the clone.
The audit log has every change, and every attempt that a service rejected, with its author: CARECOVER_OPERATOR, or the user of this machine.

Exit codes: 0 success, 1 rejected or failed, 2 wrong usage, 130 ended by Ctrl-C.`;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/**
 * Creates the program. Loads only the arguments, options and subcommands of the commands for which `isNamed` returns true; the other
 * commands have only a name and a description.
 */
async function createProgram(
  context: CommandContext,
  writeError: (text: string) => void,
  isNamed: (name: string) => boolean,
): Promise<Command> {
  const program = new Command('carecover')
    .description('Operates Carecover: projects, keys and the data that has no operation in the API.')
    .addHelpText('after', EPILOGUE)
    .showHelpAfterError('(add --help for usage)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => context.output.write(text), writeErr: writeError });
  for (const { name, description, load } of COMMANDS) {
    const command = program.command(name).description(description);
    if (isNamed(name)) (await load())(command, context);
  }
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
  const writeError = (text: string) => writeText(escapeControlsInLines(redactSecrets(text)));
  if (args.some(hasSecret)) {
    writeError(SECRET_IN_ARGUMENTS);
    return EXIT_USAGE;
  }
  try {
    const program = await createProgram(context, writeError, (name) => args.includes(name));
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander throws after it has printed its message, also for `--help`, whose exit code is 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    const message = error instanceof Error ? error.message : String(error);
    const { OperatorError } = await import('@carecover/gateway');
    writeError(
      `carecover: ${error instanceof OperatorError ? message : `failed: ${message || 'no response'}`}\n`,
    );
    return EXIT_FAILED;
  }
}
