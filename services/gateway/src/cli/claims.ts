/** `carecover show`: a claim's whole story, for whoever has to explain it. */
import { isIdentifier, tryParseInstant } from '@carecover/contract';
import { Refusal, storedTenant } from '@carecover/platform';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../operator/operator-error';
import { type Surroundings, withServiceDatabase } from './surroundings';

function claimId(text: string): string {
  if (!isIdentifier('claim', text)) throw new InvalidArgumentError('It must be the id of a claim, clm_….');
  return text;
}

function instant(text: string): number {
  const parsed = tryParseInstant(text);
  if (parsed === undefined)
    throw new InvalidArgumentError('It must be an RFC 3339 date-time with an offset.');
  return parsed;
}

async function describe(around: Surroundings, id: string, at: number | undefined): Promise<string> {
  const { describeClaim } = await import('@carecover/claims');
  return withServiceDatabase(around, 'claims', async (sql) => {
    const [claim] = await sql<{ project_id: string }[]>`select project_id from claims where id = ${id}`;
    if (claim === undefined) throw new OperatorError(`There is no claim ${id}.`);
    return describeClaim(sql, storedTenant(claim.project_id), id, at);
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? new OperatorError(error.message) : error;
  });
}

export function addClaims(program: Command, around: Surroundings): void {
  program
    .command('show')
    .argument('<claim>', 'its id, clm_…', claimId)
    .description("tell a claim's story: facts, who decided, amounts; as known now or at an earlier instant")
    .option('--at <instant>', 'as known then, such as 2027-02-20T09:00:00Z', instant)
    .option('--json', 'print {text}')
    .action(async (id: string, options: { at?: number; json?: true }) => {
      const text = await describe(around, id, options.at);
      around.output.write(options.json === true ? `${JSON.stringify({ text })}\n` : `${text}\n`);
    });
}
