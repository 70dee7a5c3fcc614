/** The tools by which a payer decides a claim or asks about it, and a provider answers, after a person has confirmed the call. */
import { type Adjudication, type Claim, formatAmount, operations } from '@carecover/contract';
import type { CurrentState, Question } from '../confirmation';
import { callOperation, type OperationCaller, type ToolArguments, ToolError } from '../operation-call';
import { inputArguments, selectFields } from '../schema';
import type { ConfirmedTool } from './definition';
import { evidenceOf, groundsOf, quote, quoteAll, requireShown, writeTool } from './write-tool';

const claimPage = ({ claim_id: claim }: ToolArguments) => `/claims/${encodeURIComponent(String(claim))}`;

async function readClaim(caller: OperationCaller, { claim_id }: ToolArguments): Promise<Claim> {
  return (await callOperation(caller, 'getClaim', { claim_id })) as unknown as Claim;
}

function nameOf({ id, provider_claim_reference: reference }: Claim): string {
  return reference === null ? `claim ${id}` : `claim ${id} (the provider's reference is ${quote(reference)})`;
}

const RESULT_FIELDS = [
  'id',
  'status',
  'provider_claim_reference',
  'submission_version',
  'amount',
  'updated_at',
] as const;
const DECISION_FIELDS = ['id', 'version', 'decision', 'amount', 'policy', 'decided_at'] as const;

/** Returns a claim without its lines and their reasons, of which there can be hundreds, and with its open questions. */
function shortClaim(claim: Claim): Record<string, unknown> {
  const { adjudication, information_requests: requests } = claim;
  return {
    ...selectFields(claim, RESULT_FIELDS),
    information_requests: requests.filter(({ status }) => status === 'open'),
    adjudication: adjudication && selectFields(adjudication, DECISION_FIELDS),
  };
}

/** What is decided about each line of a claim. */
type DecidedLine = Pick<Adjudication['lines'][number], 'line_number' | 'amount' | 'reason_codes'>;
type LinePart = keyof DecidedLine['amount'];

const LINE_PARTS: readonly LinePart[] = [
  'billed',
  'allowed',
  'payer',
  'patient_responsibility',
  'adjustment',
];

function linesOf(given: ToolArguments): readonly DecidedLine[] {
  return given.lines as readonly DecidedLine[];
}

/** The API accepts at most this number of reason codes per line. */
const MAX_LINE_REASONS = 16;

/** Returns the lines of a decision that is the same for all lines of the claim: the payer pays all of it, or none. */
function wholeLines({ lines }: Claim, given: ToolArguments, isPaid: boolean): DecidedLine[] {
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

/** Returns the text by which two decisions are compared. It does not depend on the order of the lines. */
function decisionText(
  lines: readonly DecidedLine[],
  reasons: unknown,
  policy: unknown,
  version: unknown,
): string {
  const sorted = [...lines].sort((a, b) => a.line_number - b.line_number);
  const parts = sorted.map(({ line_number, amount, reason_codes }) => [
    line_number,
    LINE_PARTS.map((part) => amount[part]),
    reason_codes,
  ]);
  return JSON.stringify([parts, reasons, policy, version]);
}

/** Returns whether the current adjudication of the claim is what the call decides. */
function isDecided({ adjudication }: Claim, given: ToolArguments): boolean {
  if (adjudication === null) return false;
  const { lines, reason_codes: reasons, policy } = adjudication;
  return (
    decisionText(lines, reasons, policy.reference, policy.version) ===
    decisionText(linesOf(given), given.reason_codes, given.policy_reference, given.policy_version)
  );
}

/** Returns the state on which a decision is based: a decision that another person made since the question must not be replaced unseen. */
function currentDecision(claim: Claim, given: ToolArguments): CurrentState {
  const { status, submission_version: submission, adjudication } = claim;
  const base = `The claim is ${status.replaceAll('_', ' ')} (submission ${submission}).`;
  if (adjudication === null) return { text: `${base} There is no decision yet.`, hasEffect: false };
  const { id, version, decision, amount } = adjudication;
  const paid = formatAmount(amount.payer, amount.currency);
  return {
    text: `${base} Replaces the decision: ${decision.replaceAll('_', ' ')}, the payer pays ${paid} (version ${version}, ${id}).`,
    hasEffect: isDecided(claim, given),
  };
}

/** The number of reason codes of a line that a question shows: they move no money. */
const SHOWN_REASONS = 3;

function reasonsOf({ reason_codes: reasons }: DecidedLine): string {
  const more = reasons.length - SHOWN_REASONS;
  return `${quoteAll(reasons.slice(0, SHOWN_REASONS))}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns a line of a question per line of the claim that the payer does not pay in full. @throws ToolError confirmation_too_long */
function reducedLines(given: ToolArguments, { lines, amount: { currency } }: Claim): string[] {
  const reduced = linesOf(given).filter(({ amount }) => amount.payer !== amount.billed);
  requireShown('lines that are not paid in full', reduced.length, 'A person can do it in the console.');
  return reduced.map((decided) => {
    const { line_number: number, amount } = decided;
    const service = lines.find(({ line_number }) => line_number === number)?.service_code;
    const name = service === undefined ? `Line ${number}` : `Line ${number} (${quote(service)})`;
    const text = (part: LinePart) => formatAmount(amount[part], currency);
    return `${name}: the payer pays ${text('payer')} of ${text('billed')}, the patient ${text('patient_responsibility')}, and ${text('adjustment')} is not paid (${reasonsOf(decided)}).`;
  });
}

function adjudicationQuestion(verb: 'Approve' | 'Deny', given: ToolArguments, claim: Claim): Question {
  const { currency } = claim.amount;
  const total = (part: LinePart) =>
    formatAmount(
      linesOf(given).reduce((all, { amount }) => all + amount[part], 0),
      currency,
    );
  const effect =
    verb === 'Approve'
      ? `the payer owes ${total('payer')}, and the decision can be replaced until the first remittance.`
      : 'the payer owes nothing, and the decision can be replaced until the first remittance.';
  const text = [
    `${verb} ${nameOf(claim)}?`,
    `Billed ${total('billed')}: the payer pays ${total('payer')}, the patient ${total('patient_responsibility')}, and ${total('adjustment')} is not paid.`,
    ...(verb === 'Approve' ? reducedLines(given, claim) : []),
    groundsOf(given),
    `Effect: ${effect}`,
  ];
  return { text: text.join('\n'), current: currentDecision(claim, given), yes: `${verb} the claim` };
}

/**
 * Returns the result of a decision. Its version is compared with that of the adjudication which was read before.
 *
 * @throws ToolError idempotency_conflict if the response is that of an earlier call, whose decision another one has replaced
 */
function decisionResult(decided: Claim, before: Claim): Record<string, unknown> {
  const [version, read] = [decided.adjudication?.version ?? 0, before.adjudication?.version ?? 0];
  if (version < read)
    throw new ToolError(
      'idempotency_conflict',
      `idempotency_key was used for the decision with version ${version}, which version ${read} has replaced. Nothing was changed. To replace version ${read}, use another idempotency_key.`,
    );
  const short = shortClaim(decided);
  if (version <= read + 1) return short;
  return {
    ...short,
    warning: `Another decision was recorded while this call was executed: this decision has replaced version ${version - 1}.`,
  };
}

// The question shows the decision that is replaced, so a call needs no expected versions.
const EXPECTED_VERSIONS = ['expected_submission_version', 'expected_adjudication_version'];
const adjudication = inputArguments(operations.adjudicateClaim.body, EXPECTED_VERSIONS);
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
    if (linesOf(given).every(({ amount: { payer } }) => payer === 0))
      throw new ToolError(
        'validation_failed',
        'lines: the payer must pay a part. To pay nothing use deny_claim.',
      );
    return adjudicationQuestion('Approve', given, claim);
  },
  result: decisionResult,
});

const denyClaim = writeTool({
  name: 'deny_claim',
  title: 'Deny a claim',
  description:
    'Denies a claim (clm_…) as its payer: of every line the payer and the patient pay nothing. Use request_claim_information if only a document is missing.',
  operation: 'adjudicateClaim',
  reads: ['getClaim'],
  body: inputArguments(operations.adjudicateClaim.body, ['lines', ...EXPECTED_VERSIONS]),
  what: 'decision',
  isDestructive: true,
  page: claimPage,
  read: readClaim,
  complete: (given, claim) => ({ ...given, lines: wholeLines(claim, given, false) }),
  question: (given, claim) => adjudicationQuestion('Deny', given, claim),
  result: decisionResult,
});

// The API asks about a submitted claim alone, and accepts an answer to an open request alone, so both need no state in their questions.

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
  result: shortClaim,
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
      evidenceOf(given),
      'Effect: the claim is submitted again, and the payer decides it.',
    ];
    return { text: text.join('\n'), yes: 'Send the evidence' };
  },
  result: shortClaim,
});

export const claimWrites: readonly ConfirmedTool[] = [
  approveClaim,
  denyClaim,
  requestInformation,
  submitEvidence,
];
