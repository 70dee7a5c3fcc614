/**
 * Executes one line of a bulk job by the use case of the operation that the line names. The idempotency keys of a line are derived from its own
 * key, so that a line that is executed again, such as after a crash, has one effect. In a dry run, the same rules decide, and nothing is
 * written.
 */
import { createHash } from 'node:crypto';
import {
  type AdjudicationInput,
  type BulkJobKind,
  type BulkLine,
  type BulkRemittanceInput,
  bodyBounds,
  bulkLineSchemas,
  type ClaimAdjudicationInput,
  type ClaimInput,
  type EligibilityCheckInput,
  findOtherCurrencies,
  isRecordedClaim,
  problemMessage,
  type SessionInput,
  type SettlementInput,
  validateBulkLine,
} from '@carecover/contract';
import { ApiError, type Caller, canonicalJson, notFound, requireVisibleReference } from '@carecover/domain';
import { type Call, parseStrictJson } from '@carecover/http';
import { rolledBack } from '@carecover/postgres';
import { billed, conflictError } from '../rules/submission';
import type { WaitingLine } from '../store/bulk-jobs';
import { lockClaim } from '../store/claims';
import { findConflict } from '../store/conflicts';
import { adjudicateClaim, checkAdjudication } from './adjudicate-claim';
import { adjudicateClaims } from './adjudicate-claims';
import type { ClaimCommandDeps, SetOutcome } from './claim-command';
import { currentClaim } from './lapse-information-request';
import { submissionOf, submitClaim } from './submit-claim';
import { submitClaims } from './submit-claims';

/** A line with its validated JSON. */
export type ParsedLine = Pick<WaitingLine, 'line' | 'key'> & { readonly body: BulkLine };

/** A line of a job, with what its execution needs of the job. */
export interface LineOfJob {
  readonly line: ParsedLine;
  readonly caller: Caller;
  readonly isDryRun: boolean;
  /** The claim of an adjudication; null if the project has none with the given reference. */
  readonly claimId: string | null;
}

/** Parses and validates the JSON of a line, whose currencies are those of the caller's project. @throws ApiError validation_failed with every problem */
export async function parseBulkLine(
  kind: BulkJobKind,
  { line, key, content }: WaitingLine,
  { currencies }: Pick<Caller, 'currencies'>,
): Promise<ParsedLine> {
  const bytes = Buffer.from(content);
  const bounds = bulkLineSchemas(kind).map((body) => bodyBounds({ body }));
  const parsed = await parseStrictJson(bytes, {
    depth: Math.max(...bounds.map(({ depth }) => depth)),
    fields: Math.max(...bounds.map(({ fields }) => fields)),
    items: Math.max(...bounds.map(({ items }) => items)),
    values: Math.max(...bounds.map(({ values }) => values)),
    characters: Math.max(...bounds.map(({ characters }) => characters)),
  });
  if (!parsed.isRead) throw invalid(parsed.problems);
  const checked = validateBulkLine(kind, parsed.value, parsed.problems);
  if (!checked.ok) throw invalid(checked.problems);
  const others = findOtherCurrencies(checked.value, currencies);
  if (others.length > 0) throw invalid(others);
  return { line, key, body: checked.value };
}

function invalid(problems: Parameters<typeof problemMessage>[0]): ApiError {
  return new ApiError('validation_failed', `${problemMessage(problems)}.`);
}

/** Executes lines of different claims together. @returns the outcomes in the order of the lines */
export type SetExecutor = (deps: ClaimCommandDeps, lines: readonly LineOfJob[]) => Promise<SetOutcome[]>;

/** The kinds whose lines can be executed together. */
export const setExecutors: Readonly<Partial<Record<BulkJobKind, SetExecutor>>> = {
  claims: executeClaims,
  adjudications: executeAdjudications,
  sessions: executeSessions,
  eligibility_checks: executeEligibilityChecks,
};

type LineExecutor = (deps: ClaimCommandDeps, line: LineOfJob) => Promise<string | null>;

/**
 * Executes a line of a kind.
 *
 * @returns the ID of the created or changed resource; null in a dry run that creates one
 * @throws the API errors of the operation
 */
export const lineExecutors: Readonly<Record<BulkJobKind, LineExecutor>> = {
  claims: executeClaim,
  adjudications: executeAdjudication,
  remittances: executeRemittance,
  settlements: executeSettlement,
  sessions: alone(executeSessions),
  eligibility_checks: alone(executeEligibilityChecks),
};

/** Returns the executor of single lines, which are sets of one line. */
function alone(executeTogether: SetExecutor): LineExecutor {
  return async (deps, line) => {
    const [outcome = null] = await executeTogether(deps, [line]);
    if (outcome === null) throw new Error('the line of a set of one has no outcome');
    if (outcome instanceof ApiError) throw outcome;
    return line.isDryRun ? null : outcome.resourceId;
  };
}

function idempotencyKeyOf(lineKey: string): string {
  return `bulk line ${lineKey}`;
}

/** Returns what all calls of operations for a line have in common. */
function callOf(caller: Caller, { key }: ParsedLine) {
  return {
    caller,
    query: {},
    rawBody: Buffer.alloc(0),
    headers: {},
    idempotencyKey: idempotencyKeyOf(key),
    // The key is that of the content.
    requestHash: Buffer.from(key),
  };
}

async function executeClaim(deps: ClaimCommandDeps, work: LineOfJob): Promise<string | null> {
  const [input] = await recordCare(deps, [work]);
  if (input === undefined) throw new Error('a line has an outcome');
  if (input instanceof ApiError) throw input;
  if (work.isDryRun) {
    await checkSubmission(deps, work.caller, input, isRecordedClaim(work.line.body));
    return null;
  }
  return idOf(await submitClaim(deps, submissionCall(work, input)));
}

/** Executes submissions together, after the sessions and checks of claims of past care are recorded together. */
async function executeClaims(deps: ClaimCommandDeps, works: readonly LineOfJob[]): Promise<SetOutcome[]> {
  const inputs = await recordCare(deps, works);
  const calls = works.map((work, index) => {
    const input = inputs[index];
    return input === undefined || input instanceof ApiError ? null : submissionCall(work, input);
  });
  const outcomes = await executeCalls(calls, (caller, valid) => submitClaims(deps, caller, valid));
  return outcomes.map((outcome, index) => {
    const input = inputs[index];
    return input instanceof ApiError ? input : outcome;
  });
}

/** Executes the calls of a set that are not null together. Returns the outcomes in the order of the calls; null for the others. */
async function executeCalls<C extends { readonly caller: Caller }>(
  calls: readonly (C | null)[],
  execute: (caller: Caller, calls: readonly C[]) => Promise<readonly SetOutcome[]>,
): Promise<SetOutcome[]> {
  const valid = calls.filter((call) => call !== null);
  const [first] = valid;
  const outcomes = first === undefined ? [] : await execute(first.caller, valid);
  const outcomeOf = new Map(valid.map((call, index) => [call, outcomes[index] ?? null]));
  return calls.map((call) => (call === null ? null : (outcomeOf.get(call) ?? null)));
}

function submissionCall({ line, caller }: LineOfJob, body: ClaimInput): Call<'createClaim'> {
  return { ...callOf(caller, line), operation: 'createClaim', params: {}, body, replayStatus: 201 };
}

/**
 * Returns the claims of lines by identifiers, in the order of the lines, or why they are rejected. Of a claim of care that happened elsewhere,
 * checks the cover and records the session. A claim that its check rejects leaves no session. The session of a claim that is rejected later
 * stays, and a later line with the same reference and session uses it.
 */
async function recordCare(
  { care, benefits }: ClaimCommandDeps,
  works: readonly LineOfJob[],
): Promise<(ClaimInput | ApiError)[]> {
  const inputs = works.map((work) => inputOf(work));
  const recorded = works.flatMap((work, index) => {
    const { body, key } = work.line;
    return isRecordedClaim(body) && !(inputs[index] instanceof ApiError) ? [{ index, key, body, work }] : [];
  });
  const [first] = recorded;
  if (first === undefined) return inputs;
  const { caller, isDryRun } = first.work;
  const { tenant, requestId } = caller;
  const checks = await benefits.checkRecordedClaims(
    {
      tenant,
      caller,
      isDryRun,
      claims: recorded.map(({ key, body: { session, eligibility_check, lines } }) => ({
        key: `bulk check ${key}`,
        check: { ...eligibility_check, scheduled_at: session.starts_at, retrospective: true },
        session: { ends_at: session.ends_at, payment_source: session.payment_source },
        serviceCodes: lines.map(({ service_code }) => service_code),
      })),
    },
    requestId,
  );
  const eligible = recorded.flatMap((each, at) => {
    const check = checks[at];
    if (check === undefined) throw new Error('benefits returned no outcome of a check');
    if ('eligibilityCheckId' in check) return [{ ...each, eligibilityCheckId: check.eligibilityCheckId }];
    inputs[each.index] = new ApiError(check.code, check.message);
    return [];
  });
  if (eligible.length === 0) return inputs;
  const sessions = await care.recordSessions(
    {
      tenant,
      caller,
      isDryRun,
      sessions: eligible.map(({ body: { session, provider_claim_reference } }) => ({
        key: `bulk session ${sessionKey(provider_claim_reference, session)}`,
        session,
      })),
    },
    requestId,
  );
  for (const [at, { index, body, eligibilityCheckId }] of eligible.entries()) {
    const outcome = sessions[at];
    if (outcome === undefined) throw new Error('care returned no outcome of a session');
    const { session: _session, eligibility_check: _check, ...claim } = body;
    inputs[index] =
      'sessionId' in outcome
        ? { ...claim, eligibility_check_id: eligibilityCheckId, session_id: outcome.sessionId }
        : new ApiError(outcome.code, outcome.message.replace(/^\//, '/session/'));
  }
  return inputs;
}

/** Checks what a submission checks first. Returns the body of the line, in which a claim of past care still has its session. */
function inputOf({ line }: LineOfJob): ClaimInput | ApiError {
  const body = line.body as ClaimInput;
  try {
    requireVisibleReference('/provider_claim_reference', body.provider_claim_reference);
    billed(body.lines);
    return body;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error;
  }
}

function sessionKey(reference: string, session: object): string {
  return createHash('sha256')
    .update(`${reference}\n${canonicalJson(session)}`)
    .digest('hex');
}

/** Decides a submission without writing. A session that the dry run did not record needs no check of its own. @throws the API errors of it */
async function checkSubmission(
  { sql, care, benefits }: ClaimCommandDeps,
  caller: Caller,
  input: ClaimInput,
  isRecorded: boolean,
): Promise<void> {
  const { tenant, requestId } = caller;
  const { session_id: sessionId, provider_claim_reference: reference } = input;
  if (!isRecorded) {
    const session = await care.sessionForClaim({ tenant, sessionId }, requestId);
    const submission = submissionOf(`clm_${requestId}`, input, session);
    await benefits.useForClaim({ tenant, caller, ...submission, isDryRun: true }, requestId);
  }
  const conflict = conflictError(await findConflict(sql, tenant, reference, sessionId));
  if (conflict !== null) throw conflict;
}

async function executeAdjudication(deps: ClaimCommandDeps, work: LineOfJob): Promise<string> {
  const { caller, isDryRun, claimId } = work;
  if (claimId === null) throw notFound('/provider_claim_reference');
  const call = adjudicationCall(work, claimId);
  if (isDryRun) return checkAdjudicationOf(deps, caller, claimId, call.body);
  return idOf(await adjudicateClaim(deps, call));
}

/** Executes adjudications together. One whose claim is not known is executed, and rejected, alone. */
async function executeAdjudications(
  deps: ClaimCommandDeps,
  works: readonly LineOfJob[],
): Promise<SetOutcome[]> {
  const calls = works.map((work) => (work.claimId === null ? null : adjudicationCall(work, work.claimId)));
  return executeCalls(calls, (caller, known) => adjudicateClaims(deps, caller, known));
}

function adjudicationCall({ line, caller }: LineOfJob, claimId: string): Call<'adjudicateClaim'> {
  const {
    claim_id: _id,
    provider_claim_reference: _reference,
    ...body
  } = line.body as ClaimAdjudicationInput;
  return {
    ...callOf(caller, line),
    operation: 'adjudicateClaim',
    params: { claim_id: claimId },
    body,
    replayStatus: 200,
  };
}

/** Decides an adjudication without writing. @throws the API errors of it */
async function checkAdjudicationOf(
  { sql }: ClaimCommandDeps,
  { tenant }: Caller,
  claimId: string,
  body: AdjudicationInput,
): Promise<string> {
  await rolledBack(sql).begin(async (tx) => {
    checkAdjudication(currentClaim(await lockClaim(tx, tenant, claimId)), body);
  });
  return claimId;
}

/** Payments creates the remittance, because it executes the operation. */
async function executeRemittance({ payments }: ClaimCommandDeps, work: LineOfJob): Promise<string | null> {
  const remittance = work.line.body as BulkRemittanceInput;
  const { requestId } = work.caller;
  return (await payments.createRemittance({ ...forClient(work), remittance }, requestId)).remittanceId;
}

/** Payments creates the settlement, because it executes the operation. */
async function executeSettlement({ payments }: ClaimCommandDeps, work: LineOfJob): Promise<string | null> {
  const settlement = work.line.body as SettlementInput;
  const { requestId } = work.caller;
  return (await payments.createSettlement({ ...forClient(work), settlement }, requestId)).settlementId;
}

/** Care records the sessions of a set in one transaction. */
async function executeSessions(
  { care }: ClaimCommandDeps,
  works: readonly LineOfJob[],
): Promise<SetOutcome[]> {
  const [first] = works;
  if (first === undefined) return [];
  const sessions = works.map(({ line }) => ({
    key: idempotencyKeyOf(line.key),
    session: line.body as SessionInput,
  }));
  const { requestId } = first.caller;
  const outcomes = await care.recordSessions({ ...clientOf(first), sessions }, requestId);
  return outcomes.map((outcome) =>
    'sessionId' in outcome ? { resourceId: outcome.sessionId } : new ApiError(outcome.code, outcome.message),
  );
}

/** Benefits makes the checks of a set in one transaction. */
async function executeEligibilityChecks(
  { benefits }: ClaimCommandDeps,
  works: readonly LineOfJob[],
): Promise<SetOutcome[]> {
  const [first] = works;
  if (first === undefined) return [];
  const checks = works.map(({ line }) => ({
    key: idempotencyKeyOf(line.key),
    check: line.body as EligibilityCheckInput,
  }));
  const { requestId } = first.caller;
  const outcomes = await benefits.createEligibilityChecks({ ...clientOf(first), checks }, requestId);
  return outcomes.map((outcome) =>
    'eligibilityCheckId' in outcome
      ? { resourceId: outcome.eligibilityCheckId }
      : new ApiError(outcome.code, outcome.message),
  );
}

/** Returns what the calls to another service for a job have in common. */
function clientOf({ caller, isDryRun }: LineOfJob) {
  return { tenant: caller.tenant, caller, isDryRun };
}

/** Returns what the calls to another service that executes the operation of a line have in common. */
function forClient(work: LineOfJob) {
  return { ...clientOf(work), key: idempotencyKeyOf(work.line.key) };
}

function idOf({ text }: { readonly text: string }): string {
  return (JSON.parse(text) as { readonly id: string }).id;
}
