/** `carecover advices …`: payers' advices with all their lines, and what payers will deduct from later payments. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { ConfigError, loadConfig } from '@carecover/config';
import {
  ADVICE_FILE_LINE_LIMIT,
  identifierPrefixes,
  isIdentifier,
  type PaymentAdvice,
  paymentAdviceStatuses,
} from '@carecover/contract';
import { ApiError, type Tenant } from '@carecover/domain';
import { OperatorError } from '@carecover/gateway';
import { FileError } from '@carecover/import-files';
import type { AdviceHeader } from '@carecover/payments';
import { findOfAnyProject } from '@carecover/postgres';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { describeFileError, requireReadable } from '../input-file';
import {
  asOperator,
  listOfProjects,
  logChange,
  operatorCall,
  operatorCaller,
  operatorCallers,
  requireCurrencies,
  withCreation,
} from '../operator-calls';
import { type ListOptions, limitOption, PROJECT } from '../options';
import { type Output, printResult, printTable } from '../output';

type Status = PaymentAdvice['status'];

async function listRows(context: CommandContext, options: ListOptions & { readonly status?: Status }) {
  const { listPaymentAdvices, paymentAdviceResource } = await import('@carecover/payments');
  const { project, limit, status } = options;
  const callers = await operatorCallers(context, project);
  const found = await withServiceDatabase(context, 'payments', null, (sql) =>
    listOfProjects(sql, callers, limit, (caller, page) =>
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

/** Finds the project of an advice. @throws OperatorError if there is none with the ID */
async function findProject(context: CommandContext, id: string): Promise<Tenant> {
  const { remittanceIdOf } = await import('@carecover/payments');
  if (!isIdentifier('paymentAdvice', id))
    throw new OperatorError(`${id} is not the ID of a payment advice, ${identifierPrefixes.paymentAdvice}….`);
  const found = await withServiceDatabase(context, 'payments', null, (sql) =>
    findOfAnyProject(sql, { table: 'remittances' }, remittanceIdOf(id)),
  );
  if (found == null) throw new OperatorError(`There is no payment advice ${id}.`);
  return found.tenant;
}

/** Reads an advice in the form of GET /payment_advices/{payment_advice_id}. @throws OperatorError if there is none with the ID */
async function readAdvice(context: CommandContext, id: string): Promise<PaymentAdvice> {
  const { findPaymentAdvice, paymentAdviceResource } = await import('@carecover/payments');
  const tenant = await findProject(context, id);
  return withServiceDatabase(context, 'payments', tenant, async (sql) => {
    const row = await findPaymentAdvice(sql, tenant, id);
    if (row === undefined) throw new OperatorError(`There is no payment advice ${id}.`);
    return paymentAdviceResource(row);
  });
}

/** Withdraws an advice. The workflow of its remittance delivers the change to the claims service. */
async function withdrawAdvice(context: CommandContext, id: string, reason: string): Promise<PaymentAdvice> {
  const { commitWithdrawal } = await import('@carecover/payments');
  const caller = await operatorCaller(context, await findProject(context, id));
  const params = { payment_advice_id: id };
  const call = operatorCall('withdrawPaymentAdvice', caller, { params, body: { reason_code: reason } });
  await logChange(context, caller.tenant, 'advices.withdraw', id, { reason_code: reason });
  await withServiceDatabase(context, 'payments', caller.tenant, (sql) =>
    asOperator(() => commitWithdrawal(sql, call)),
  );
  return readAdvice(context, id);
}

interface ImportOptions {
  readonly payerReference: string;
  readonly payer?: string;
  readonly currency: string;
  readonly receivedAt: string;
  readonly net: number;
  readonly dryRun?: true;
  readonly json?: true;
}

function parseNet(text: string): number {
  const net = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(net)) return net;
  throw new InvalidArgumentError('A whole number of minor units is expected, such as 79000.');
}

/** Reads the advice that a file and the options describe. @throws OperatorError which names the lines of invalid values */
async function readFile(file: string, options: ImportOptions) {
  const { findBankFile, readAdviceFile } = await import('@carecover/payments');
  await requireReadable(file);
  try {
    const found = await findBankFile(file);
    const { payerReference, payer, currency, receivedAt, net } = options;
    return await asOperator(() =>
      readAdviceFile(found.open(), found.name.toLowerCase().endsWith('.csv') ? 'csv' : 'lines', {
        payer_reference: payerReference,
        ...(payer !== undefined && { payer }),
        currency: currency as AdviceHeader['currency'],
        received_at: receivedAt,
        net,
      }),
    );
  } catch (error) {
    throw error instanceof FileError ? describeFileError(file, error) : error;
  }
}

/** Returns how long a remittance can wait for its funds: the setting of the payments service. @throws OperatorError */
async function reconciliationMs({ env }: CommandContext): Promise<number> {
  const { RECONCILIATION_SETTINGS } = await import('@carecover/payments');
  try {
    return loadConfig(RECONCILIATION_SETTINGS, env).RECONCILIATION_SECONDS * 1_000;
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

/**
 * Records the advice of a file, in place of another one if `replaces` is not null. The same command again has no second effect.
 *
 * @throws OperatorError if the file can't be read, or the advice is rejected; then nothing is recorded
 */
async function importAdvice(
  context: CommandContext,
  file: string,
  project: string,
  replaces: string | null,
  options: ImportOptions,
): Promise<void> {
  const { importPaymentAdvice } = await import('@carecover/payments');
  const waitMs = await reconciliationMs(context);
  const { claimsForPayments } = await import('@carecover/claims');
  const author = await operatorCaller(context, project);
  const { tenant } = author;
  requireCurrencies(author, { currency: options.currency });
  const { advice, nameLines } = await readFile(file, options);
  const isDryRun = options.dryRun === true;
  const digest = createHash('sha256')
    .update(JSON.stringify([replaces, advice]))
    .digest('hex');
  const change = { file: basename(file), payer_reference: advice.payer_reference };
  if (replaces !== null && !isDryRun) await logChange(context, tenant, 'advices.replace', replaces, change);
  if (replaces === null && !isDryRun) await logChange(context, tenant, 'advices.import', project, change);
  const imported = await withServiceDatabase(context, 'payments', tenant, (sql) =>
    withServiceDatabase(context, 'claims', tenant, (claims) => {
      const { knownClaims } = claimsForPayments(claims, () => undefined);
      const deps = { sql, claims: { knownClaims }, waitMs };
      return importPaymentAdvice(deps, { author, digest, replaces, isDryRun }, advice);
    }),
  ).catch((error) => {
    throw error instanceof ApiError ? new OperatorError(nameLines(error.message)) : error;
  });
  const { allocations = [], denials = [], recoveries = [], adjustments = [] } = advice;
  // A known advice can be withdrawn meanwhile.
  const status = imported.id === null ? null : (await readAdvice(context, imported.id)).status;
  printResult(context.output, options.json === true, {
    id: imported.id,
    is_known: imported.isKnown,
    status,
    allocations: allocations.length,
    denials: denials.length,
    recoveries: recoveries.length,
    adjustments: adjustments.length,
    net: advice.net,
  });
  if (isDryRun && options.json !== true) context.output.write('Nothing was recorded: this was a dry run.\n');
}

/** Adds the options of what an advice says as a whole. */
function withHeader(command: Command): Command {
  return command
    .requiredOption('--payer-reference <reference>', "the payer's reference of the advice")
    .option('--payer <name>', 'your name of the payer, by which balances are summed')
    .requiredOption('--currency <code>', 'the currency, such as KES')
    .requiredOption('--received-at <instant>', 'when the advice was received, such as 2027-02-01T06:00:00Z')
    .requiredOption(
      '--net <amount>',
      'what the payer transfers, in minor units, to compare with the lines',
      parseNet,
    )
    .option('--dry-run', 'decide about the advice, and record nothing')
    .option('--json', 'print {id, is_known, status, allocations, denials, recoveries, adjustments, net}');
}

const FILE = `a .csv file with the columns type (allocation, denial, recovery, adjustment), amount in minor units, and claim_id, kind, reason_codes, or JSON lines with these fields; at most ${ADVICE_FILE_LINE_LIMIT} lines; also as .gz`;

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
  return withServiceDatabase(context, 'payments', null, async (sql) => {
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
    .command('withdraw')
    .argument('<advice>', "the payment advice's ID, adv_…")
    .description('undo an advice on its claims, while no funds are recorded for it; it stays readable')
    .requiredOption('--reason <code>', 'the reason code, such as sent_in_error')
    .option('--json', 'print the advice as the API returns it')
    .action(async (id: string, { reason, json }: { reason: string; json?: true }) => {
      printAdvice(context.output, json === true, await withdrawAdvice(context, id, reason));
    });
  withHeader(
    advices
      .command('import')
      .argument('<file>', FILE)
      .description('record the advice whose lines a file has; the same command again has no second effect')
      .requiredOption('--project <project>', "the project's ID, prj_…"),
  ).action((file: string, { project, ...options }: ImportOptions & { project: string }) =>
    importAdvice(context, file, project, null, options),
  );
  withHeader(
    advices
      .command('replace')
      .argument('<advice>', 'the ID of the payment advice that is withdrawn, adv_…')
      .argument('<file>', FILE)
      .description('withdraw an advice and record the amended one of a file in its place, both or none'),
  ).action(async (id: string, file: string, options: ImportOptions) =>
    importAdvice(context, file, await findProject(context, id), id, options),
  );
  advices
    .command('balances')
    .description('list what payers will deduct from later payments; amounts in minor units')
    .option(...PROJECT)
    .option('--json', 'print an array of the rows')
    .action(async ({ project, json }: { project?: string; json?: true }) => {
      printTable(context.output, json === true, await listBalances(context, project));
    });
}
