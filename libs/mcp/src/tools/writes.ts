/**
 * The tools that write after a person has confirmed the call. Each is one operation of the API, and its arguments are those of the operation.
 * A question contains only what stays the same after the write, so that a repeated call is recognized.
 */
import {
  type Claim,
  formatAmount,
  type Operation,
  type OperationId,
  operations,
  type Preauthorization,
  PreauthorizationApproval,
  PreauthorizationDenial,
  type Remittance,
} from '@carecover/contract';
import type { Question } from '../confirmation';
import {
  callOperation,
  checkCall,
  type OperationCaller,
  type ToolArguments,
  ToolError,
} from '../operation-call';
import { idempotencyKeySchema, inputArguments, type ObjectSchema } from '../schema';
import type { ConfirmedTool, Plan } from './definition';

const CONFIRMED =
  'A person confirms the call: the client shows the amounts and the effect, and nothing happens before the answer. Send an idempotency_key (8 to 255 characters), and the same one when you repeat the call.';

/** The longest text of another party in a question. */
const MAX_QUOTED = 80;

/** Quotes a text that another party wrote, for a question: one line, and no longer than a reference should be. */
function quote(value: unknown): string {
  const text = String(value)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll('"', "'");
  return `"${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}"`;
}

function quoteAll(values: unknown): string {
  const all = values as readonly unknown[];
  return all.map(quote).join(', ');
}

/** Returns the line of a question that contains the reasons and the policy of a decision. */
function groundsOf(given: ToolArguments): string {
  return `Reasons: ${quoteAll(given.reason_codes)}. Policy: ${quote(given.policy_reference)}, version ${quote(given.policy_version)}.`;
}

/**
 * Returns the arguments of a tool: those for the path of the operation, for its body and the idempotency key.
 *
 * @param given the arguments for the body; undefined: all properties of the body
 */
function writeArguments(id: OperationId, given: ObjectSchema | undefined, what: string): ObjectSchema {
  const operation: Operation = operations[id];
  const body = given ?? inputArguments(operation.body ?? {}, []);
  const path = inputArguments(operation.params, []);
  return {
    ...path,
    properties: {
      ...path.properties,
      ...body.properties,
      idempotency_key: idempotencyKeySchema(what),
    },
    required: [...(path.required ?? []), ...(body.required ?? []), 'idempotency_key'],
  };
}

interface WriteDefinition<Resource> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: OperationId;
  /** The operations that read what the question shows. */
  readonly reads: readonly OperationId[];
  /** The arguments for the body of the operation, if they are not all of its properties. */
  readonly body?: ObjectSchema;
  /** What the idempotency key identifies, such as a decision. */
  readonly what: string;
  readonly isDestructive: boolean;
  readonly page: (given: ToolArguments) => string;
  /** Reads what the question shows. */
  readonly read: (caller: OperationCaller, given: ToolArguments) => Promise<Resource>;
  /** Returns the arguments of the operation, if they are not those of the tool. */
  readonly complete?: (given: ToolArguments, resource: Resource) => ToolArguments;
  /** Returns the question. The arguments are complete and have been checked. */
  readonly question: (given: ToolArguments, resource: Resource) => Question;
}

function writeTool<Resource>(definition: WriteDefinition<Resource>): ConfirmedTool {
  const { operation, reads, description, body, what, read, complete, question, ...others } = definition;
  return {
    ...others,
    inputSchema: writeArguments(operation, body, what),
    description: `${description} ${CONFIRMED}`,
    operations: [...reads, operation],
    outputSchema: undefined,
    plan: async (caller, given): Promise<Plan> => {
      const resource = await read(caller, given);
      const completed = complete === undefined ? given : complete(given, resource);
      checkCall(operation, completed);
      return { question: question(completed, resource), operation, given: completed };
    },
  };
}

const claimPage = ({ claim_id: claim }: ToolArguments) => `/claims/${encodeURIComponent(String(claim))}`;

async function readClaim(caller: OperationCaller, { claim_id }: ToolArguments): Promise<Claim> {
  return (await callOperation(caller, 'getClaim', { claim_id })) as unknown as Claim;
}

function nameOf({ id, provider_claim_reference: reference }: Claim): string {
  return reference === null ? `claim ${id}` : `claim ${id} (the provider's reference is ${quote(reference)})`;
}

/** What is decided about each line of a claim. */
interface LineDecision {
  readonly amount: {
    readonly billed: number;
    readonly payer: number;
    readonly patient_responsibility: number;
    readonly adjustment: number;
  };
}

type LinePart = keyof LineDecision['amount'];

/** The API accepts at most this number of reason codes per line. */
const MAX_LINE_REASONS = 16;

/** Returns the lines of a decision that is the same for all lines of the claim: the payer pays all of it, or none. */
function wholeLines({ lines }: Claim, given: ToolArguments, isPaid: boolean) {
  const reasons = Array.isArray(given.reason_codes) ? given.reason_codes.slice(0, MAX_LINE_REASONS) : [];
  return lines.map(({ line_number, amount: billed }) => ({
    line_number,
    amount: {
      billed,
      allowed: isPaid ? billed : 0,
      payer: isPaid ? billed : 0,
      patient_responsibility: 0,
      adjustment: isPaid ? 0 : billed,
    },
    reason_codes: reasons,
  }));
}

function adjudicationQuestion(verb: 'Approve' | 'Deny', given: ToolArguments, claim: Claim): Question {
  const decided = given.lines as readonly LineDecision[];
  const { currency } = claim.amount;
  const total = (part: LinePart) => {
    const sum = decided.reduce((all, { amount }) => all + amount[part], 0);
    return formatAmount(sum, currency);
  };
  const effect =
    verb === 'Approve'
      ? `the payer owes ${total('payer')}, and the decision can be replaced until the first remittance.`
      : 'the payer owes nothing, and the decision can be replaced until the first remittance.';
  const text = [
    `${verb} ${nameOf(claim)}?`,
    `Billed ${total('billed')}: the payer pays ${total('payer')}, the patient ${total('patient_responsibility')}, and ${total('adjustment')} is not paid.`,
    groundsOf(given),
    `Effect: ${effect}`,
  ];
  return { text: text.join('\n'), yes: `${verb} the claim` };
}

const adjudication = inputArguments(operations.adjudicateClaim.body, []);
const { lines: linesSchema = {} } = adjudication.properties;

const approveClaim = writeTool({
  name: 'approve_claim',
  title: 'Approve a claim',
  description:
    'Approves a claim (clm_…) as its payer, in full or in part. Leave lines out to pay every line in full. For a part, give every line of the claim (get_claim has them), in minor units: billed = allowed + adjustment, and allowed = payer + patient_responsibility. To pay nothing use deny_claim.',
  operation: 'adjudicateClaim',
  reads: ['getClaim'],
  body: {
    ...adjudication,
    properties: {
      ...adjudication.properties,
      lines: {
        ...linesSchema,
        description: 'Every line of the claim exactly once. Absent: all are paid in full.',
      },
    },
    required: (adjudication.required ?? []).filter((name) => name !== 'lines'),
  },
  what: 'decision',
  isDestructive: true,
  page: claimPage,
  read: readClaim,
  complete: (given, claim) => ({ ...given, lines: given.lines ?? wholeLines(claim, given, true) }),
  question: (given, claim) => {
    const decided = given.lines as readonly LineDecision[];
    if (decided.every(({ amount: { payer } }) => payer === 0))
      throw new ToolError(
        'validation_failed',
        'lines: the payer must pay a part. To pay nothing use deny_claim.',
      );
    return adjudicationQuestion('Approve', given, claim);
  },
});

const denyClaim = writeTool({
  name: 'deny_claim',
  title: 'Deny a claim',
  description:
    'Denies a claim (clm_…) as its payer: of every line the payer and the patient pay nothing. Use request_claim_information if only a document is missing.',
  operation: 'adjudicateClaim',
  reads: ['getClaim'],
  body: inputArguments(operations.adjudicateClaim.body, ['lines']),
  what: 'decision',
  isDestructive: true,
  page: claimPage,
  read: readClaim,
  complete: (given, claim) => ({ ...given, lines: wholeLines(claim, given, false) }),
  question: (given, claim) => adjudicationQuestion('Deny', given, claim),
});

const requestInformation = writeTool({
  name: 'request_claim_information',
  title: operations.requestClaimInformation.summary,
  description:
    'Asks the provider of a submitted claim (clm_…) for evidence, as its payer. The claim becomes queried until the provider answers, or until due_at.',
  operation: 'requestClaimInformation',
  reads: ['getClaim'],
  what: 'request',
  isDestructive: false,
  page: claimPage,
  read: readClaim,
  question: (given, claim) => {
    const { currency, billed } = claim.amount;
    const until = given.due_at === undefined ? 'without a deadline' : `until ${given.due_at}`;
    const text = [
      `Ask the provider about ${nameOf(claim)}, billed ${formatAmount(billed, currency)}?`,
      `Reason: ${quote(given.reason_code)}. Evidence: ${quoteAll(given.requested_evidence_types)}.`,
      `Effect: the claim waits for the provider, ${until}.`,
    ];
    return { text: text.join('\n'), yes: 'Ask the provider' };
  },
});

const submitEvidence = writeTool({
  name: 'submit_claim_evidence',
  title: operations.submitClaimEvidence.summary,
  description:
    'Answers an open information request (information_requests of get_claim) of a claim (clm_…), as its provider, and submits the claim again.',
  operation: 'submitClaimEvidence',
  reads: ['getClaim'],
  what: 'answer',
  isDestructive: false,
  page: claimPage,
  read: readClaim,
  question: (given, claim) => {
    const { currency, billed } = claim.amount;
    const text = [
      `Answer the question about ${nameOf(claim)}, billed ${formatAmount(billed, currency)}?`,
      `Evidence: ${quoteAll(given.evidence_refs)}.`,
      'Effect: the claim is submitted again, and the payer decides it.',
    ];
    return { text: text.join('\n'), yes: 'Send the evidence' };
  },
});

const preauthorizationPage = ({ preauthorization_id: id }: ToolArguments) =>
  `/preauthorizations/${encodeURIComponent(String(id))}`;

async function readPreauthorization(caller: OperationCaller, { preauthorization_id }: ToolArguments) {
  const found = await callOperation(caller, 'getPreauthorization', { preauthorization_id });
  return found as unknown as Preauthorization;
}

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
});

// The row of one remittance. A deposit of several advices has shares, which the API and the console divide.
const settlement = inputArguments(operations.createSettlement.body, ['shares']);

const matchBankRow = writeTool({
  name: 'match_bank_row',
  title: 'Match a row of a bank statement with a remittance',
  description:
    'Records a row of a bank statement as a settlement of a remittance (rem_…): evidence that its money moved. Find the remittance with list_remittances, and what is missing with explain_remittance. source_reference is the reference of the row, and can be recorded once. amount is in minor units. Give allocations only if the row pays a part of a remittance of several claims.',
  operation: 'createSettlement',
  reads: ['getRemittance'],
  body: { ...settlement, required: ['remittance_id', ...(settlement.required ?? [])] },
  what: 'row',
  isDestructive: true,
  page: ({ remittance_id: id }) => `/remittances/${encodeURIComponent(String(id))}`,
  read: async (caller, { remittance_id }) =>
    (await callOperation(caller, 'getRemittance', { remittance_id })) as unknown as Remittance,
  question: (given, { id, payer_reference, amount, allocations }) => {
    const claims = allocations.map(({ claim_id }) => claim_id);
    const more = claims.length > 3 ? ` and ${claims.length - 3} more` : '';
    const text = [
      `Record that ${formatAmount(Number(given.amount), String(given.currency))} arrived for remittance ${id} (the payer's reference is ${quote(payer_reference)})?`,
      `Row ${quote(given.source_reference)}, ${given.observed_at}. The remittance is ${formatAmount(amount.paid, amount.currency)} for ${claims.slice(0, 3).join(', ')}${more}.`,
      'Effect: a settlement. If the settlements equal the remittance, it is reconciled, and its claims are settled.',
    ];
    return { text: text.join('\n'), yes: 'Record the settlement' };
  },
});

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
});

export const writes: readonly ConfirmedTool[] = [
  approveClaim,
  denyClaim,
  requestInformation,
  submitEvidence,
  approvePreauthorization,
  denyPreauthorization,
  matchBankRow,
  redeliverEvent,
];
