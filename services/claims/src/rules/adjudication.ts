/**
 * The arithmetic of an adjudication, in exact integers of minor units. The message of every API error names the offending fields by JSON
 * pointers.
 */
import {
  type Adjudication,
  type AdjudicationDecision,
  type AdjudicationInput,
  CLAIM_ADJUDICATION_LIMIT,
  type ClaimLine,
  type Problem,
  problemMessage,
  sumMoney,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Change, ClaimState } from './recording';
import { transitionOfDecision } from './transitions';

type InputLine = AdjudicationInput['lines'][number];

export interface Totals {
  readonly billed: number;
  readonly payer: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
}

/**
 * Returns the version of a claim's next adjudication.
 *
 * @param version version of the claim's last adjudication; 0 without one
 * @throws ApiError invalid_state if the claim has the maximum number of adjudications
 */
export function nextVersion(version: number): number {
  if (version < CLAIM_ADJUDICATION_LIMIT) return version + 1;
  const limit = CLAIM_ADJUDICATION_LIMIT.toLocaleString('en');
  throw new ApiError('invalid_state', `The claim has ${limit} adjudications, the maximum.`);
}

/**
 * Checks that the claim is still the one for which the adjudication was decided, if the input says which one it was.
 *
 * @throws ApiError invalid_state
 */
export function checkExpectedVersions(
  { submissionVersion, adjudicationVersion }: Pick<ClaimState, 'submissionVersion' | 'adjudicationVersion'>,
  { expected_submission_version, expected_adjudication_version }: AdjudicationInput,
): void {
  const differences: string[] = [];
  const compare = (what: string, current: number, name: string, expected = current) => {
    if (current !== expected) differences.push(`${what} is ${current}, but ${name} is ${expected}`);
  };
  compare(
    'submission_version',
    submissionVersion,
    'expected_submission_version',
    expected_submission_version,
  );
  compare(
    'the version of its adjudication',
    adjudicationVersion,
    'expected_adjudication_version',
    expected_adjudication_version,
  );
  if (differences.length === 0) return;
  throw new ApiError(
    'invalid_state',
    `The claim has changed: ${differences.join('; ')}. Read the claim and decide again.`,
  );
}

/**
 * Checks that an adjudication has every claim line exactly once, with the billed amount of that line. @throws ApiError
 * adjudication_lines_mismatch
 */
function checkLines(claimLines: readonly ClaimLine[], lines: readonly InputLine[]): void {
  const billedOf = new Map(claimLines.map((line) => [line.line_number, line.amount]));
  const seen = new Set<number>();
  const problems: Problem[] = [];
  for (const [index, { line_number, amount }] of lines.entries()) {
    const billed = billedOf.get(line_number);
    const found = (field: string, message: string) =>
      problems.push({ pointer: `/lines/${index}/${field}`, message });
    if (billed === undefined) found('line_number', `names no line of the claim: ${line_number}`);
    else if (seen.has(line_number)) found('line_number', `names line ${line_number} a second time`);
    else if (amount.billed !== billed)
      found('amount/billed', `must be what line ${line_number} billed: ${billed}`);
    seen.add(line_number);
  }
  for (const { line_number } of claimLines)
    if (!seen.has(line_number))
      problems.push({ pointer: '/lines', message: `must adjudicate line ${line_number} too` });
  if (problems.length > 0) throw new ApiError('adjudication_lines_mismatch', problemMessage(problems));
}

/**
 * Checks on every line that billed = allowed + adjustment and allowed = payer + patient_responsibility. @throws ApiError
 * adjudication_unbalanced
 */
function checkBalance(lines: readonly InputLine[]): void {
  const problems: Problem[] = [];
  for (const [index, { amount }] of lines.entries()) {
    const { billed, allowed, payer, patient_responsibility, adjustment } = amount;
    const pointer = `/lines/${index}/amount`;
    if (sumMoney([allowed, adjustment]) !== billed)
      problems.push({ pointer: `${pointer}/billed`, message: 'must be allowed plus adjustment' });
    if (sumMoney([payer, patient_responsibility]) !== allowed)
      problems.push({ pointer: `${pointer}/allowed`, message: 'must be payer plus patient_responsibility' });
  }
  if (problems.length > 0) throw new ApiError('adjudication_unbalanced', problemMessage(problems));
}

function total(lines: readonly InputLine[], pick: (amount: InputLine['amount']) => number): number {
  const sum = sumMoney(lines.map((line) => pick(line.amount)));
  if (sum === undefined)
    throw new ApiError('validation_failed', '/lines must have a sum of at most 9007199254740991');
  return sum;
}

/** Derives the decision from the total that the payer pays: denied for 0, approved for the billed amount, otherwise partially approved. */
export function deriveDecision({ billed, payer }: Pick<Totals, 'billed' | 'payer'>): AdjudicationDecision {
  if (payer === 0) return 'denied';
  return payer === billed ? 'approved' : 'partially_approved';
}

/**
 * Checks an adjudication against a claim's lines, and returns its totals over all lines and the decision.
 *
 * @throws ApiError adjudication_lines_mismatch, adjudication_unbalanced, or validation_failed if a sum is above 2^53 - 1
 */
export function adjudicate(
  claimLines: readonly ClaimLine[],
  lines: readonly InputLine[],
): { readonly totals: Totals; readonly decision: AdjudicationDecision } {
  checkLines(claimLines, lines);
  checkBalance(lines);
  const totals = {
    billed: total(lines, (amount) => amount.billed),
    payer: total(lines, (amount) => amount.payer),
    patient_responsibility: total(lines, (amount) => amount.patient_responsibility),
    adjustment: total(lines, (amount) => amount.adjustment),
  };
  return { totals, decision: deriveDecision(totals) };
}

/** Returns the resource of an adjudication, as it is stored. */
export function toAdjudication(
  input: AdjudicationInput,
  adjudicated: ReturnType<typeof adjudicate>,
  circumstances: {
    readonly id: string;
    readonly version: number;
    readonly currency: string;
    readonly decidedAt: string;
  },
): Adjudication {
  return {
    id: circumstances.id,
    object: 'claim_adjudication',
    version: circumstances.version,
    decision: adjudicated.decision,
    amount: { currency: circumstances.currency, ...adjudicated.totals },
    reason_codes: [...input.reason_codes],
    policy: { reference: input.policy_reference, version: input.policy_version },
    lines: input.lines.map(({ line_number, amount, reason_codes }) => ({
      line_number,
      amount: {
        billed: amount.billed,
        allowed: amount.allowed,
        payer: amount.payer,
        patient_responsibility: amount.patient_responsibility,
        adjustment: amount.adjustment,
      },
      reason_codes: [...reason_codes],
    })),
    decided_at: circumstances.decidedAt,
  };
}

/** Returns the change that records an adjudication on its claim. */
export function decisionChange(
  input: AdjudicationInput,
  adjudication: Adjudication,
  by: Pick<Change, 'cause' | 'authority' | 'requestId'>,
): Change {
  const { payer, patient_responsibility, adjustment } = adjudication.amount;
  return {
    transition: transitionOfDecision[adjudication.decision],
    ...by,
    effectiveAt: Date.parse(adjudication.decided_at),
    reasonCode: input.reason_codes[0] ?? null,
    evidenceReferences: input.evidence_refs ?? [],
    detail: {
      adjudication_id: adjudication.id,
      version: adjudication.version,
      payer,
      patient_responsibility,
      adjustment,
      policy: adjudication.policy,
    },
  };
}
