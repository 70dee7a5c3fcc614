/**
 * `carecover remittances …`: lists remittances, explains why a remittance is reconciled or not, and sends claims the notifications about
 * remittances again.
 */
import { type RemittanceReconciliation, remittanceStatuses } from '@carecover/contract';
import { requireResource } from '@carecover/domain';
import { audited } from '@carecover/gateway';
import { type Command, Option } from 'commander';
import { type CommandContext, withDatabase, withServiceDatabase } from '../command-context';
import { asOperator, listOfProjects, operatorCallers, withCreation } from '../operator-calls';
import { type ListOptions, limitOption, PROJECT } from '../options';
import { type Output, printResult, printTable } from '../output';
import { type FoundResource, findResource } from '../resource-lookup';

type Status = (typeof remittanceStatuses)[number];

/**
 * For each operation that can be the next step of a reconciliation: the command, API operation and console page by which an operator
 * executes it.
 */
const HOW: Readonly<Record<RemittanceReconciliation['next_steps'][number]['operation'], string>> = {
  createSettlement:
    'Command: carecover settlements import FILE --project PROJECT. API: createSettlement. Console: the page of the remittance.',
  reverseSettlement: 'API: reverseSettlement. Console: the page of the remittance.',
};

/**
 * Reads the reconciliation of a remittance in the form of GET /remittances/{remittance_id}/reconciliation, with the payer's reference and
 * the time of receipt added.
 */
export async function readReconciliation(context: CommandContext, { caller, id }: FoundResource) {
  const { findReconciliationSnapshot, reconciliationResource } = await import('@carecover/payments');
  return withServiceDatabase(context, 'payments', caller.tenant, async (sql) => {
    const facts = requireResource(caller, id, await findReconciliationSnapshot(sql, caller.tenant, id));
    const { payer_reference, received_at } = facts.remittance;
    return { ...reconciliationResource(facts), payer_reference, received_at: received_at.toISOString() };
  });
}

/** Prints the state of a remittance, its settlements and the operations that would reconcile it. */
export function printReconciliation(
  output: Output,
  json: boolean,
  reconciliation: RemittanceReconciliation & {
    readonly payer_reference: string;
    readonly received_at: string;
  },
): void {
  if (json) {
    printResult(output, true, reconciliation);
    return;
  }
  const { object: _, settlements, next_steps, ...fields } = reconciliation;
  printResult(output, false, fields);
  output.write('\nsettlements, in minor units\n');
  printTable(
    output,
    false,
    settlements.map(({ amount, ...settlement }) => ({ ...settlement, ...amount })),
  );
  output.write('\nnext steps\n');
  for (const { operation, description } of next_steps) output.write(`${description} ${HOW[operation]}\n`);
  if (next_steps.length === 0) output.write('(none)\n');
}

async function listRows(context: CommandContext, options: ListOptions & { readonly status?: Status }) {
  const { listRemittances, remittanceResource } = await import('@carecover/payments');
  const { project, limit, status } = options;
  const callers = await operatorCallers(context, project);
  const found = await withServiceDatabase(context, 'payments', null, (sql) =>
    listOfProjects(sql, callers, limit, (caller, page) =>
      listRemittances(sql, caller, { ...page, ...(status && { status }) }, withCreation(remittanceResource)),
    ),
  );
  return found.map(({ id, status, payer_reference, amount, received_at, reconciled_at, project_id }) => ({
    id,
    status,
    payer_reference,
    ...amount,
    received_at,
    reconciled_at,
    project_id,
  }));
}

async function notifyClaims(
  context: CommandContext,
  claimIds: readonly string[],
): Promise<{ remittances: number }> {
  const { resendToClaims } = await import('@carecover/payments');
  return withDatabase(context, (sql, operator) =>
    audited(sql, operator, 'remittances.notify-claims', async (tx) => {
      const remittances = await resendToClaims(tx, claimIds);
      return { subject: claimIds.join(','), details: { remittances }, result: { remittances } };
    }),
  );
}

export function addRemittances(remittances: Command, context: CommandContext): void {
  remittances
    .command('list')
    .description('list remittances of a project or of all, newest first; amounts in minor units')
    .addOption(new Option('--status <status>', 'only those with this status').choices(remittanceStatuses))
    .option(...PROJECT)
    .addOption(limitOption())
    .option('--json', 'print an array of the rows')
    .action(async (options: ListOptions & { status?: Status }) => {
      printTable(context.output, options.json === true, await listRows(context, options));
    });
  remittances
    .command('show')
    .argument('<remittance>', "the remittance's ID, rem_…, or its payer's reference")
    .description(
      'print why a remittance is reconciled or not, its settlements, and what would reconcile it; amounts in minor units',
    )
    .option('--project <project>', 'look only in this project, prj_…')
    .option('--json', 'print the reconciliation as the API returns it, with payer_reference and received_at')
    .action(async (text: string, { project, json }: { project?: string; json?: true }) => {
      const resource = await findResource(context, text, project, ['remittance']);
      printReconciliation(
        context.output,
        json === true,
        await asOperator(() => readReconciliation(context, resource)),
      );
    });
  remittances
    .command('notify-claims')
    .argument('<claims...>', "the claims' IDs, clm_…")
    .description(
      'send the recorded payments of these claims, and of claims that share a remittance with them, to the claims service again; records that it already has do not change',
    )
    .option('--json', 'print {remittances}')
    .action(async (claimIds: string[], { json }: { json?: true }) => {
      printResult(context.output, json === true, await notifyClaims(context, claimIds));
    });
}
