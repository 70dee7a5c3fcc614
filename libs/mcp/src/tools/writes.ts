/** The tools that write after a person has confirmed the call. Each is one operation of the API. */
import {
  formatAmount,
  operations,
  type Preauthorization,
  PreauthorizationApproval,
  PreauthorizationDenial,
  type WebhookDelivery,
} from '@carecover/contract';
import type { Question } from '../confirmation';
import { callOperation, type OperationCaller, type ToolArguments } from '../operation-call';
import { inputArguments, selectFields } from '../schema';
import { matchBankRow } from './bank-row';
import { claimWrites } from './claim-writes';
import type { ConfirmedTool } from './definition';
import { startBulkJob } from './start-bulk-job';
import { groundsOf, writeTool } from './write-tool';

const preauthorizationPage = ({ preauthorization_id: id }: ToolArguments) =>
  `/preauthorizations/${encodeURIComponent(String(id))}`;

async function readPreauthorization(caller: OperationCaller, { preauthorization_id }: ToolArguments) {
  const found = await callOperation(caller, 'getPreauthorization', { preauthorization_id });
  return found as unknown as Preauthorization;
}

/** Returns the question about a decision. It needs no state: the API decides a pending pre-authorization alone, and replaces no decision. */
function preauthorizationQuestion(
  verb: 'Approve' | 'Deny',
  given: ToolArguments,
  { id, amount: { requested, currency } }: Preauthorization,
): Question {
  const effect =
    verb === 'Approve'
      ? `one session of the benefit is reserved until ${given.valid_until}, and the booking is confirmed.`
      : 'nothing is reserved, and the booking is not confirmed.';
  const approved =
    verb === 'Approve' ? `, approved ${formatAmount(Number(given.approved_amount), currency)}` : '';
  const text = [
    `${verb} pre-authorization ${id}?`,
    `Requested ${formatAmount(requested, currency)}${approved}.`,
    groundsOf(given),
    `Effect: ${effect}`,
  ];
  return { text: text.join('\n'), yes: `${verb} the pre-authorization` };
}

const PREAUTHORIZATION_FIELDS = ['id', 'status', 'booking_id', 'amount', 'valid_until'] as const;
const DECISION_FIELDS = ['id', 'version', 'outcome', 'policy', 'decided_at'] as const;

function shortPreauthorization(found: Preauthorization): Record<string, unknown> {
  const { decision } = found;
  return {
    ...selectFields(found, PREAUTHORIZATION_FIELDS),
    decision: decision && selectFields(decision, DECISION_FIELDS),
  };
}

const approvePreauthorization = writeTool({
  name: 'approve_preauthorization',
  title: 'Approve a pre-authorization',
  description:
    'Approves a pending pre-authorization (preauth_…) as its payer, and reserves one session of the benefit. approved_amount is in minor units, at most the requested amount.',
  operation: 'decidePreauthorization',
  reads: ['getPreauthorization'],
  body: inputArguments(PreauthorizationApproval, ['outcome']),
  what: 'decision',
  isDestructive: true,
  page: preauthorizationPage,
  read: readPreauthorization,
  complete: (given) => ({ ...given, outcome: 'approved' }),
  question: (given, found) => preauthorizationQuestion('Approve', given, found),
  result: shortPreauthorization,
});

const denyPreauthorization = writeTool({
  name: 'deny_preauthorization',
  title: 'Deny a pre-authorization',
  description:
    'Denies a pending pre-authorization (preauth_…) as its payer. The benefit remains available for another request.',
  operation: 'decidePreauthorization',
  reads: ['getPreauthorization'],
  body: inputArguments(PreauthorizationDenial, ['outcome']),
  what: 'decision',
  isDestructive: true,
  page: preauthorizationPage,
  read: readPreauthorization,
  complete: (given) => ({ ...given, outcome: 'denied' }),
  question: (given, found) => preauthorizationQuestion('Deny', given, found),
  result: shortPreauthorization,
});

const DELIVERY_FIELDS = ['id', 'delivered', 'attempts', 'response_status'] as const;

const redeliverEvent = writeTool({
  name: 'redeliver_event',
  title: operations.redeliverEvent.summary,
  description:
    'Sends an event (evt_…) to a webhook endpoint (whe_…) again. Get both ids from list_deliveries. Read the outcome there some seconds later.',
  operation: 'redeliverEvent',
  reads: [],
  what: 'delivery',
  isDestructive: false,
  page: ({ webhook_endpoint_id: endpoint, event_id: event }) =>
    `/webhooks/${encodeURIComponent(String(endpoint))}/deliveries/${encodeURIComponent(String(event))}`,
  read: async () => null,
  question: ({ webhook_endpoint_id, event_id }) => ({
    text: `Send event ${event_id} to webhook endpoint ${webhook_endpoint_id} again?\nNo money moves.\nEffect: the receiver gets the event once more, with the same ID.`,
    yes: 'Send the event',
  }),
  result: (delivery: WebhookDelivery) => selectFields(delivery, DELIVERY_FIELDS),
});

export const writes: readonly ConfirmedTool[] = [
  ...claimWrites,
  approvePreauthorization,
  denyPreauthorization,
  matchBankRow,
  startBulkJob,
  redeliverEvent,
];
