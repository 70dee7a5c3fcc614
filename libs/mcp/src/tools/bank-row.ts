/** The tool that records a row of a bank statement as a settlement, after a person has confirmed the amount and the claims that it pays. */
import {
  formatAmount,
  operations,
  type Remittance,
  type RemittanceReconciliation,
  type Settlement,
} from '@carecover/contract';
import type { CurrentState } from '../confirmation';
import { callOperation, type OperationCaller, type ToolArguments, ToolError } from '../operation-call';
import { inputArguments, selectFields } from '../schema';
import { MAX_SHOWN, quote, quoteReference, requireShown, writeTool } from './write-tool';

/** The remittance, and how it is reconciled before the call. */
interface Found {
  readonly remittance: Remittance;
  readonly report: RemittanceReconciliation;
}

async function readFound(caller: OperationCaller, { remittance_id }: ToolArguments): Promise<Found> {
  const remittance = await callOperation(caller, 'getRemittance', { remittance_id });
  const report = await callOperation(caller, 'getRemittanceReconciliation', { remittance_id });
  return { remittance, report } as unknown as Found;
}

/** The number of a remittance's claims that a question names if the call has no allocations. Their amounts were recorded before. */
const NAMED_CLAIMS = 3;

interface ClaimPart {
  readonly claim_id: string;
  readonly amount: number;
}

function partText({ claim_id, amount }: ClaimPart, currency: string): string {
  return `${formatAmount(amount, currency)} to ${claim_id}`;
}

/** Returns the line of a question that says which claims get the amount of the row. @throws ToolError confirmation_too_long */
function claimsOf(given: ToolArguments, { remittance: { amount, allocations }, report }: Found): string {
  if (given.allocations !== undefined) {
    const parts = given.allocations as readonly ClaimPart[];
    requireShown('allocations', parts.length, 'Record the row with POST /settlements.');
    return `The row pays ${parts.map((part) => partText(part, String(given.currency))).join(', ')}, and no other claim.`;
  }
  const parts = allocations.slice(0, NAMED_CLAIMS).map(({ claim_id, paid_amount }) => ({
    claim_id,
    amount: paid_amount,
  }));
  const more = allocations.length - parts.length;
  const named = parts.map((part) => partText(part, amount.currency)).join(', ');
  const claims = parts.length === 0 ? 'The remittance pays no claim' : `The remittance pays ${named}`;
  const others = report.expected - amount.paid;
  const deducted =
    others === 0 ? '' : `, and recoveries and adjustments are ${formatAmount(others, amount.currency)}`;
  return `${claims}${more > 0 ? ` and ${more} more` : ''}${deducted}. The row names no claims.`;
}

/** Returns what the funds are after the row, compared with what is expected. */
function compare(after: number, { expected, currency }: RemittanceReconciliation): string {
  if (after === expected) return 'as expected';
  const difference = formatAmount(Math.abs(after - expected), currency);
  return `${difference} ${after > expected ? 'more' : 'less'} than expected`;
}

/** Returns the settlement of the remittance that has recorded the row. A source_reference can be recorded once in a project. */
function recordedAs({ settlements }: RemittanceReconciliation, reference: unknown) {
  return settlements.find(({ source_reference }) => source_reference === reference);
}

/** Returns what the bank must show for the remittance, and what was observed before the call: the net of an advice, not its gross amount. */
function currentFunds(given: ToolArguments, { report }: Found): CurrentState {
  const { expected, observed, currency } = report;
  const recorded = recordedAs(report, given.source_reference);
  const before = observed === null ? 'more than can be shown' : formatAmount(observed, currency);
  const known = `The bank must show ${formatAmount(expected, currency)} for the remittance. Observed before: ${before}.`;
  if (recorded !== undefined)
    return {
      text: `${known} The row is recorded already: ${recorded.id}, ${recorded.status}.`,
      hasEffect: recorded.status !== 'reversed',
    };
  const amount = Number(given.amount);
  if (given.currency !== currency)
    return {
      text: `${known} The row has another currency, so it will be an exception.`,
      hasEffect: false,
    };
  const after = observed === null ? null : observed + amount;
  const outcome =
    after === null ? '' : ` With this row: ${formatAmount(after, currency)}, ${compare(after, report)}.`;
  return { text: `${known}${outcome}`, hasEffect: false };
}

const RESULT_FIELDS = [
  'id',
  'remittance_id',
  'source_reference',
  'amount',
  'status',
  'observed_at',
  'recorded_at',
] as const;

/**
 * Returns a settlement without its allocations, of which there can be a thousand.
 *
 * @throws ToolError idempotency_conflict if the response is that of an earlier call, whose settlement was reversed
 */
function settlementResult(settlement: Settlement, { report }: Found): Record<string, unknown> {
  const known = report.settlements.find(({ id }) => id === settlement.id);
  if (known?.status === 'reversed')
    throw new ToolError(
      'idempotency_conflict',
      `idempotency_key was used for settlement ${settlement.id}, which was reversed. Nothing was changed. To record the row again, use another idempotency_key and another source_reference.`,
    );
  return selectFields(settlement, RESULT_FIELDS);
}

// The row of one remittance. A deposit of several advices has shares, which the API and the console divide.
const settlement = inputArguments(operations.createSettlement.body, ['shares']);
const { allocations: allocationsSchema = {} } = settlement.properties;

export const matchBankRow = writeTool({
  name: 'match_bank_row',
  title: 'Match a row of a bank statement with a remittance',
  description:
    'Records a row of a bank statement as a settlement of a remittance (rem_…): evidence that its money moved. Find the remittance with list_remittances, and what is missing with explain_remittance: the amount that the bank must show is expected, which can be less than the total. source_reference is the reference of the row, and can be recorded once. amount is in minor units. Give allocations only if the row pays a part of a remittance of several claims.',
  operation: 'createSettlement',
  reads: ['getRemittance', 'getRemittanceReconciliation'],
  body: {
    ...settlement,
    properties: { ...settlement.properties, allocations: { ...allocationsSchema, maxItems: MAX_SHOWN } },
    required: ['remittance_id', ...(settlement.required ?? [])],
  },
  what: 'row',
  isDestructive: true,
  page: ({ remittance_id: id }) => `/remittances/${encodeURIComponent(String(id))}`,
  read: readFound,
  question: (given, found) => {
    const { id, payer_reference } = found.remittance;
    const text = [
      `Record that ${formatAmount(Number(given.amount), String(given.currency))} arrived for remittance ${id} (the payer's reference is ${quote(payer_reference)})?`,
      `Row ${quoteReference(given.source_reference)}, ${given.observed_at}.`,
      claimsOf(given, found),
      'Effect: a settlement. If the settlements equal what is expected, the remittance is reconciled, and its claims are settled.',
    ];
    return { text: text.join('\n'), current: currentFunds(given, found), yes: 'Record the settlement' };
  },
  result: settlementResult,
});
