/** `carecover show`: a claim's whole story, for whoever has to explain it. */
import { isIdentifier, tryParseInstant } from '@carecover/contract';
import { ApiError, type Sql, storedTenant } from '@carecover/platform';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../operator/operator-error';
import { type Surroundings, withServiceDatabase } from './surroundings';

function instant(text: string): number {
  const parsed = tryParseInstant(text);
  if (parsed === undefined)
    throw new InvalidArgumentError('It must be an RFC 3339 date-time with an offset.');
  return parsed;
}

interface Wanted {
  /** The claim's id, or with a project its provider's reference, which is unique there. */
  readonly claim: string;
  readonly project: string | undefined;
}

async function find(sql: Sql, { claim, project }: Wanted): Promise<{ id: string; project_id: string }> {
  const [found] = await sql<{ id: string; project_id: string }[]>`
    select id, project_id from claims
    where ${project === undefined ? sql`id = ${claim}` : sql`project_id = ${project} and provider_claim_reference = ${claim}`}`;
  if (found !== undefined) return found;
  throw new OperatorError(
    project === undefined
      ? `There is no claim ${claim}.`
      : `There is no claim with the reference ${claim} in ${project}.`,
  );
}

async function describe(around: Surroundings, wanted: Wanted, at: number | undefined): Promise<string> {
  const { describeClaim } = await import('@carecover/claims');
  return withServiceDatabase(around, 'claims', async (sql) => {
    const { id, project_id } = await find(sql, wanted);
    return describeClaim(sql, storedTenant(project_id), id, at);
  }).catch((error: unknown) => {
    throw error instanceof ApiError ? new OperatorError(error.message) : error;
  });
}

export function addClaims(program: Command, around: Surroundings): void {
  program
    .command('show')
    .argument('<claim>', "its id, clm_…; with --project its provider's reference (provider_claim_reference)")
    .description("tell a claim's story: facts, who decided, amounts; as known now or at an earlier instant")
    .option('--project <project>', 'the project in which the reference is, prj_…')
    .option('--at <instant>', 'as known then, such as 2027-02-20T09:00:00Z', instant)
    .option('--json', 'print {text}')
    .action(
      async (claim: string, options: { project?: string; at?: number; json?: true }, command: Command) => {
        const { project, at } = options;
        if (project === undefined && !isIdentifier('claim', claim))
          command.error(
            "error: without --project it must be the id of a claim, clm_…, not a provider's reference",
          );
        const text = await describe(around, { claim, project }, at);
        around.output.write(options.json === true ? `${JSON.stringify({ text })}\n` : `${text}\n`);
      },
    );
}
