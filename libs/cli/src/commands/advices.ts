/** `carecover advices …`: payers' advices with all their lines, and what payers will deduct from later payments. */
import {
  identifierPrefixes,
  isIdentifier,
  type PaymentAdvice,
  paymentAdviceStatuses,
} from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { findOfAnyProject } from '@carecover/postgres';
import { type Command, Option } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { asOperator, listOfProjects, operatorCallers, withCreation } from '../operator-calls';
import { type ListOptions, limitOption, PROJECT } from '../options';
import { type Output, printResult, printTable } from '../output';

type Status = PaymentAdvice['status'];

async function listRows(context: CommandContext, options: ListOptions & { readonly status?: Status }) {
  const { listPaymentAdvices, paymentAdviceResource } = await import('@carecover/payments');
  const { project, limit, status } = options;
  const callers = await operatorCallers(context, project);
  const found = await withServiceDatabase(context, 'payments', (sql) =>
    listOfProjects(callers, limit, (caller, page) =>
      listPaymentAdvices(
        sql,
        caller,
        { ...page, ...(status && { status }) },
        withCreation(paymentAdviceResource),
      ),
    ),
  );
  return found.map((advice) => ({
    id: advice.id,
    status: advice.status,
    payer_reference: advice.payer_reference,
    payer: advice.payer,
    currency: advice.currency,
    allocations: advice.allocations.length,
    denials: advice.denials.length,
    recoveries: advice.recoveries.length,
    adjustments: advice.adjustments.length,
    net: advice.net,
    received_at: advice.received_at,
    project_id: advice.project_id,
  }));
}

/** Reads an advice in the form of GET /payment_advices/{payment_advice_id}. @throws OperatorError if there is none with the ID */
async function readAdvice(context: CommandContext, id: string): Promise<PaymentAdvice> {
  const { findPaymentAdvice, paymentAdviceResource, remittanceIdOf } = await import('@carecover/payments');
  if (!isIdentifier('paymentAdvice', id))
    throw new OperatorError(`${id} is not the ID of a payment advice, ${identifierPrefixes.paymentAdvice}….`);
  return withServiceDatabase(context, 'payments', async (sql) => {
    const found = await findOfAnyProject(sql, { table: 'remittances' }, remittanceIdOf(id));
    const row = found && (await findPaymentAdvice(sql, found.tenant, id));
    if (row === undefined) throw new OperatorError(`There is no payment advice ${id}.`);
    return paymentAdviceResource(row);
  });
}

function printAdvice(output: Output, json: boolean, advice: PaymentAdvice): void {
  if (json) {
    printResult(output, true, advice);
    return;
  }
  const { object: _, allocations, denials, recoveries, adjustments, ...fields } = advice;
  printResult(output, false, fields);
  const tables = { allocations, denials, recoveries, adjustments };
  for (const [name, lines] of Object.entries(tables)) {
    if (lines.length === 0) continue;
    output.write(`\n${name}, in minor units\n`);
    printTable(
      output,
      false,
      lines.map(({ reason_codes, ...line }) => ({ ...line, reason_codes: reason_codes.join(' ') })),
    );
  }
}

async function listBalances(context: CommandContext, project: string | undefined) {
  const { listForwarding, payerBalancesResource } = await import('@carecover/payments');
  const callers = await operatorCallers(context, project);
  return withServiceDatabase(context, 'payments', async (sql) => {
    const rows: object[] = [];
    for (const { tenant } of callers) {
      const { data } = payerBalancesResource(await listForwarding(sql, tenant));
      rows.push(...data.map((balance) => ({ ...balance, project_id: tenant })));
    }
    return rows;
  });
}

export function addAdvices(advices: Command, context: CommandContext): void {
  advices
    .command('list')
    .description('list payment advices of a project or of all, newest first, with the number of their lines')
    .addOption(new Option('--status <status>', 'only those with this status').choices(paymentAdviceStatuses))
    .option(...PROJECT)
    .addOption(limitOption())
    .option('--json', 'print an array of the rows')
    .action(async (options: ListOptions & { status?: Status }) => {
      printTable(context.output, options.json === true, await listRows(context, options));
    });
  advices
    .command('show')
    .argument('<advice>', "the payment advice's ID, adv_…")
    .description('print all lines of a payment advice; amounts in minor units')
    .option('--json', 'print the advice as the API returns it')
    .action(async (id: string, { json }: { json?: true }) => {
      printAdvice(context.output, json === true, await asOperator(() => readAdvice(context, id)));
    });
  advices
    .command('balances')
    .description('list what payers will deduct from later payments; amounts in minor units')
    .option(...PROJECT)
    .option('--json', 'print an array of the rows')
    .action(async ({ project, json }: { project?: string; json?: true }) => {
      printTable(context.output, json === true, await listBalances(context, project));
    });
}
