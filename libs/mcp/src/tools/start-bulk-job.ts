/**
 * The tool that executes many lines as one bulk job. The first call starts the same lines as a dry run, which writes nothing, and asks a person
 * about its outcome. The answer starts the job.
 *
 * Failure policy: closed. Nothing is asked before the dry run has ended, and nothing if it would execute no line.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BulkJob,
  type BulkJobKind,
  type BulkJobResult,
  formatAmount,
  type OperationId,
  operations,
  type RequiredScope,
  referenceOfBulkLine,
  scopesOfBulkJobKinds,
} from '@carecover/contract';
import type { Question } from '../confirmation';
import {
  callOperation,
  checkCall,
  type OperationCaller,
  type ToolArguments,
  ToolError,
} from '../operation-call';
import { idempotencyKeySchema, LIST_LIMIT, operationArguments, selectFields } from '../schema';
import { explainBulkJob, JOB_FIELDS } from './bulk-jobs';
import type { ConfirmedTool, Plan } from './definition';
import { CONFIRMED, quote } from './write-tool';

/** The most lines of a call: a message has at most 64 KiB, and a line about one. */
const MAX_LINES = 50;
/** How long each read of an unfinished dry run waits, in milliseconds. Together they end long before the last start of an operation. */
const POLL_DELAYS_MS = [200, 300, 500, 1_000, 2_000, 3_000, 3_000];
/** The most numbers of lines that a question shows per error code. */
const SHOWN_NUMBERS = 10;

type Line = Readonly<Record<string, unknown>>;
type Amount = readonly [currency: string, amount: number];

function isLine(value: unknown): value is Line {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the sum of a field of the items of a list. The line was accepted by a dry run, so it has the fields of its kind. */
function sumOf(items: unknown, amountOf: (item: Line) => unknown): number {
  return (Array.isArray(items) ? items : []).reduce((sum: number, item) => sum + Number(amountOf(item)), 0);
}

async function currencyOfCheck(caller: OperationCaller, id: unknown): Promise<string> {
  const found = await callOperation(caller, 'getEligibilityCheck', { eligibility_check_id: id });
  return String((found.amount as Line).currency);
}

async function currencyOfClaim(caller: OperationCaller, line: Line): Promise<string> {
  const { claim_id, provider_claim_reference } = line;
  if (claim_id !== undefined) {
    const claim = await callOperation(caller, 'getClaim', { claim_id });
    return String((claim.amount as Line).currency);
  }
  const { data } = await callOperation(caller, 'listClaims', { provider_claim_reference, limit: 1 });
  const [claim] = data as unknown as readonly { readonly amount: { readonly currency: string } }[];
  if (claim === undefined)
    throw new ToolError('resource_not_found', `There is no claim ${quote(provider_claim_reference)}.`);
  return claim.amount.currency;
}

const ownAmount = async (_caller: OperationCaller, { currency, amount }: Line): Promise<Amount> => [
  String(currency),
  Number(amount),
];

/** What a person must know of the lines of a kind. */
interface KindRules {
  /** What the sum of the amounts is; null: the kind has none. */
  readonly sum: string | null;
  readonly effect: string;
  /** The operations that find currencies which the lines do not have. */
  readonly reads: readonly OperationId[];
  readonly amountOf?: (caller: OperationCaller, line: Line) => Promise<Amount>;
}

const KINDS: Readonly<Record<BulkJobKind, KindRules>> = {
  claims: {
    sum: 'Billed',
    effect: 'each claim is submitted to its payer.',
    reads: ['getEligibilityCheck'],
    amountOf: async (caller, { lines, eligibility_check: check, eligibility_check_id: id }) => [
      isLine(check) ? String(check.currency) : await currencyOfCheck(caller, id),
      sumOf(lines, ({ amount }) => amount),
    ],
  },
  adjudications: {
    sum: 'The payer pays',
    effect: 'each claim is decided.',
    reads: ['getClaim', 'listClaims'],
    amountOf: async (caller, line) => [
      await currencyOfClaim(caller, line),
      sumOf(line.lines, ({ amount }) => (amount as Line).payer),
    ],
  },
  remittances: {
    sum: 'The payer advises',
    effect: "each remittance is recorded as the payer's advice.",
    reads: [],
    amountOf: async (_caller, { currency, allocations }) => [
      String(currency),
      sumOf(allocations, ({ paid_amount }) => paid_amount),
    ],
  },
  settlements: {
    sum: 'The bank shows',
    effect: 'each settlement is recorded, and a remittance whose settlements equal it is reconciled.',
    reads: [],
    amountOf: ownAmount,
  },
  sessions: { sum: null, effect: 'each session is recorded.', reads: [] },
  eligibility_checks: {
    sum: 'No money moves. Checked prices',
    effect: 'each check is recorded.',
    reads: [],
    amountOf: ownAmount,
  },
};

function kindOf({ kind }: ToolArguments): BulkJobKind | undefined {
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? (kind as BulkJobKind) : undefined;
}

/** Returns the scopes of a call: that of the kind, and those of the reads for its question. */
function scopesOfCall(given: ToolArguments): readonly RequiredScope[] {
  const kind = kindOf(given);
  if (kind === undefined) return ['scope of the kind'];
  return [...new Set([scopesOfBulkJobKinds[kind], ...KINDS[kind].reads.map((id) => operations[id].scope)])];
}

/** Returns the lines of the call. @throws ToolError validation_failed */
function linesOf(given: ToolArguments): readonly Line[] {
  const lines: readonly unknown[] = Array.isArray(given.lines) ? given.lines : [];
  if (lines.length === 0 || lines.length > MAX_LINES || !lines.every(isLine))
    throw new ToolError('validation_failed', `lines must be a list of 1 to ${MAX_LINES} objects.`);
  const unsafe = lines.flatMap(({ expected_adjudication_version: version }, index) =>
    given.kind === 'adjudications' && version === undefined ? [index + 1] : [],
  );
  if (unsafe.length > 0)
    throw new ToolError(
      'validation_failed',
      `lines ${numbersOf(unsafe)} must have expected_adjudication_version: 0, or the version of the decision that the line replaces.`,
    );
  return lines;
}

function numbersOf(numbers: readonly number[]): string {
  const more = numbers.length - SHOWN_NUMBERS;
  return `${numbers.slice(0, SHOWN_NUMBERS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Waits until a dry run has ended. @throws ToolError dry_run_unfinished */
async function waitForEnd(caller: OperationCaller, started: BulkJob): Promise<BulkJob> {
  let job = started;
  for (const delayMs of POLL_DELAYS_MS) {
    if (job.completed_at !== null) return job;
    await sleep(delayMs);
    const { id: bulk_job_id } = job;
    job = (await callOperation(caller, 'getBulkJob', { bulk_job_id })) as unknown as BulkJob;
  }
  if (job.completed_at !== null) return job;
  throw new ToolError(
    'dry_run_unfinished',
    `The dry run ${job.id} has not ended, so nothing was changed. Call the tool again with the same arguments in a few seconds.`,
  );
}

/** A dry run of the lines that has ended, and the result of each line. */
interface Outcome {
  readonly job: BulkJob;
  readonly results: readonly BulkJobResult[];
}

async function readResults(caller: OperationCaller, { id: bulk_job_id }: BulkJob): Promise<BulkJobResult[]> {
  const results: BulkJobResult[] = [];
  for (;;) {
    const after_line = results.at(-1)?.line;
    const page = await callOperation(caller, 'listBulkJobResults', {
      ...{ bulk_job_id, limit: LIST_LIMIT.max },
      ...(after_line !== undefined && { after_line }),
    });
    results.push(...(page.data as unknown as BulkJobResult[]));
    if (page.has_more !== true || (page.data as unknown[]).length === 0) return results;
  }
}

/**
 * Executes the lines as a dry run. The answer to a question finds the dry run of this question by its key; a later question has a new one.
 *
 * @throws ToolError
 */
async function tryLines(caller: OperationCaller, given: ToolArguments, askedMs: number): Promise<Outcome> {
  const { kind, lines, on_error, idempotency_key } = given;
  const identity = JSON.stringify([idempotency_key, askedMs, kind, on_error, lines]);
  const key = createHash('sha256').update(identity).digest('hex');
  const dryRun = { ...given, dry_run: 'true', idempotency_key: `dry-run-${key}` };
  const started = (await callOperation(caller, 'createBulkJob', dryRun)) as unknown as BulkJob;
  const job = await waitForEnd(caller, started);
  return { job, results: await readResults(caller, job) };
}

/** Returns the rejected lines by the code of their error. */
function rejectedByCode({ results }: Outcome): string[] {
  const byCode = new Map<string, number[]>();
  for (const { line, error } of results)
    if (error !== null) byCode.set(error.code, [...(byCode.get(error.code) ?? []), line]);
  return [...byCode].map(
    ([code, numbers]) =>
      `${numbers.length} for ${code} (${numbers.length === 1 ? 'line' : 'lines'} ${numbersOf(numbers)})`,
  );
}

/** Returns the sums of the lines that would be executed, per currency. */
async function amountsOf(
  caller: OperationCaller,
  { sum, amountOf }: KindRules,
  lines: readonly Line[],
): Promise<string> {
  if (sum === null || amountOf === undefined) return 'No money moves.';
  const sums = new Map<string, number>();
  for (const line of lines) {
    const [currency, amount] = await amountOf(caller, line);
    sums.set(currency, (sums.get(currency) ?? 0) + amount);
  }
  const texts = [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => formatAmount(amount, currency));
  return `${sum} ${texts.join(' and ')}.`;
}

function outcomeText(outcome: Outcome): string {
  const { id, counts } = outcome.job;
  const rejected = rejectedByCode(outcome);
  return [
    `Dry run ${id}: ${counts.succeeded} of ${counts.total} lines would be executed, ${counts.replayed} repeat an earlier line, ${counts.rejected} would be rejected, ${counts.waiting} would not be executed.`,
    ...(rejected.length === 0 ? [] : [`Rejected: ${rejected.join(', ')}.`]),
  ].join('\n');
}

/** Returns what names the lines that would be executed, in quotes. */
function namesOf(lines: readonly Line[]): string {
  const names = lines.map(referenceOfBulkLine).filter((name) => name !== null);
  const more = names.length - SHOWN_NUMBERS;
  const shown = names.slice(0, SHOWN_NUMBERS).map((name) => quote(name));
  return shown.length === 0 ? '' : `Lines: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

async function questionOf(
  caller: OperationCaller,
  { kind, on_error }: ToolArguments,
  lines: readonly Line[],
  outcome: Outcome,
): Promise<Question> {
  const { job, results } = outcome;
  const executed = results.flatMap(({ line, status }) => {
    const found = lines[line - 1];
    return status === 'succeeded' && found !== undefined ? [found] : [];
  });
  const rules = KINDS[job.kind];
  const replacing = executed.filter(({ expected_adjudication_version: version }) => Number(version ?? 0) > 0);
  const text = [
    `Execute ${lines.length} lines of the kind ${String(kind).replaceAll('_', ' ')}${on_error === 'stop' ? ', until the first is rejected' : ''}?`,
    outcomeText(outcome),
    await amountsOf(caller, rules, executed),
    namesOf(executed),
    ...(replacing.length === 0 ? [] : [`Lines that replace a decision: ${replacing.length}.`]),
    `Effect: ${rules.effect} What has changed since the dry run can change the results. A later cancellation takes nothing back.`,
  ];
  return { text: text.filter((line) => line !== '').join('\n'), yes: 'Execute the lines' };
}

async function planJob(caller: OperationCaller, given: ToolArguments, askedMs: number): Promise<Plan> {
  checkCall('createBulkJob', given);
  const lines = linesOf(given);
  const outcome = await tryLines(caller, given, askedMs);
  if (outcome.job.counts.succeeded === 0)
    throw new ToolError(
      'nothing_to_execute',
      `${outcomeText(outcome)} Nothing was changed. list_bulk_jobs with this bulk_job_id says what to correct.`,
    );
  return {
    question: await questionOf(caller, given, lines, outcome),
    operation: 'createBulkJob',
    given,
    resultOf: (job) =>
      selectFields({ explanation: explainBulkJob(job as unknown as BulkJob), ...job }, JOB_FIELDS),
  };
}

const { kind, on_error } = operationArguments(operations.createBulkJob).properties;

export const startBulkJob: ConfirmedTool = {
  name: 'start_bulk_job',
  title: operations.createBulkJob.summary,
  description: `Executes at most ${MAX_LINES} lines as one bulk job. A line has the fields of the API's operation: a claim, a decision about one (adjudications), a remittance, a settlement, a session or an eligibility check; carecover://docs/guides/many-at-once shows them. A dry run, which writes nothing, comes first: the person is shown how many lines would be executed, their amounts, and why lines would be rejected. A decision must have expected_adjudication_version: 0, or the version (get_claim) of the decision that it replaces. Read the progress with list_bulk_jobs. For one claim use approve_claim or deny_claim. ${CONFIRMED}`,
  operations: ['createBulkJob', 'getBulkJob', 'listBulkJobResults'],
  scopesOfCall,
  inputSchema: {
    type: 'object',
    properties: {
      kind: kind ?? {},
      lines: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_LINES,
        items: { type: 'object' },
        description: 'The lines, in the order of their execution. Amounts are in minor units.',
      },
      on_error: on_error ?? {},
      idempotency_key: idempotencyKeySchema('job'),
    },
    required: ['kind', 'lines', 'idempotency_key'],
    additionalProperties: false,
  },
  outputSchema: undefined,
  isDestructive: true,
  page: () => '/bulk-jobs',
  plan: planJob,
};
