/** `carecover show`: the history of a claim. */
import { isIdentifier, tryParseInstant } from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { ApiError, storedTenant } from '@carecover/platform';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';

function parseInstantOption(text: string): number {
  const parsed = tryParseInstant(text);
  if (parsed === undefined) throw new InvalidArgumentError('Expected an RFC 3339 date-time with an offset.');
  return parsed;
}

interface ClaimReference {
  /** The claim's ID or, if a project is given, its provider's reference, which is unique in the project. */
  readonly claim: string;
  readonly project: string | undefined;
}

function noClaim({ claim, project }: ClaimReference): OperatorError {
  return new OperatorError(
    project === undefined
      ? `There is no claim ${claim}.`
      : `There is no claim with the reference ${claim} in ${project}.`,
  );
}

async function describe(
  context: CommandContext,
  reference: ClaimReference,
  at: number | undefined,
): Promise<string> {
  const { describeClaim, findClaimOfAnyProject, findClaimByReference } = await import('@carecover/claims');
  return withServiceDatabase(context, 'claims', async (sql) => {
    const { claim, project } = reference;
    const found =
      project === undefined
        ? await findClaimOfAnyProject(sql, claim)
        : await findClaimByReference(sql, storedTenant(project), claim);
    if (found === undefined) throw noClaim(reference);
    return describeClaim(sql, found.tenant, found.id, at);
  }).catch((error: unknown) => {
    throw error instanceof ApiError ? new OperatorError(error.message) : error;
  });
}

export function addShow(show: Command, context: CommandContext): void {
  show
    .argument(
      '<claim>',
      "the claim's ID, clm_…, or with --project its provider's reference (provider_claim_reference)",
    )
    .option('--project <project>', 'the project of the reference, prj_…')
    .option(
      '--at <instant>',
      'the history as it was known at this instant, such as 2027-02-20T09:00:00Z',
      parseInstantOption,
    )
    .option('--json', 'print {text}')
    .action(
      async (claim: string, options: { project?: string; at?: number; json?: true }, command: Command) => {
        const { project, at } = options;
        if (project === undefined && !isIdentifier('claim', claim))
          command.error(
            "error: without --project, expected a claim's ID, clm_…; add --project to use a provider's reference",
          );
        const text = await describe(context, { claim, project }, at);
        context.output.write(options.json === true ? `${JSON.stringify({ text })}\n` : `${text}\n`);
      },
    );
}
