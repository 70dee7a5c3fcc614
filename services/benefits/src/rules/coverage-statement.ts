/** A payer's statement about one coverage, sent alone or in a batch, and the hash by which a repeated statement is recognized. */
import { createHmac } from 'node:crypto';
import {
  type CoverageBatchInput,
  type CoverageBatchRecord,
  type CoverageInput,
  type CoverageSource,
  type CoverageStatus,
  parseInstant,
} from '@carecover/contract';
import { ApiError, canonicalJson } from '@carecover/domain';

export interface CoverageStatement {
  readonly source: CoverageSource;
  readonly contractReference: string;
  readonly coverageReference: string;
  readonly sourceVersion: string;
  readonly tenantReference: string;
  readonly memberReference: string;
  readonly serviceCode: string;
  readonly planName: string;
  readonly status: CoverageStatus;
  readonly currency: string;
  /** The most that the coverage pays per session, in minor units. */
  readonly amountLimit: number;
  readonly remainingSessions: number;
  readonly authorizationRequired: boolean;
  readonly coordinationPriority: number | null;
  /** The start of the coverage's validity in epoch milliseconds. The end and `observedAtMs` are in epoch milliseconds too. */
  readonly validFromMs: number;
  readonly validUntilMs: number;
  readonly observedAtMs: number;
  readonly evidenceReferences: readonly string[];
}

type StatedFields = Omit<
  CoverageInput,
  | 'source_contract_reference'
  | 'external_coverage_reference'
  | 'source_version'
  | 'observed_at'
  | 'evidence_references'
>;

function statedValues(fields: StatedFields) {
  return {
    tenantReference: fields.tenant_reference,
    memberReference: fields.member_reference,
    serviceCode: fields.service_code,
    planName: fields.plan_name,
    status: fields.status,
    currency: fields.currency,
    amountLimit: fields.amount_limit,
    remainingSessions: fields.remaining_sessions,
    authorizationRequired: fields.authorization_required,
    coordinationPriority: fields.coordination_priority,
    validFromMs: parseInstant(fields.valid_from),
    validUntilMs: parseInstant(fields.valid_until),
  };
}

/** Converts the body of a createCoverage request to a statement. */
export function statementOf(input: CoverageInput): CoverageStatement {
  return {
    ...statedValues(input),
    source: 'payer_api',
    contractReference: input.source_contract_reference,
    coverageReference: input.external_coverage_reference,
    sourceVersion: input.source_version,
    observedAtMs: parseInstant(input.observed_at),
    evidenceReferences: input.evidence_references,
  };
}

/** Converts one record of a coverage batch to a statement, whose evidence is the batch's artifact. */
export function statementOfRecord(
  batch: CoverageBatchInput,
  record: CoverageBatchRecord,
  artifactReference: string,
): CoverageStatement {
  return {
    ...statedValues(record),
    source: 'batch_file',
    contractReference: batch.source_contract_reference,
    coverageReference: record.coverage_reference,
    sourceVersion: record.record_version,
    observedAtMs: parseInstant(batch.generated_at),
    evidenceReferences: [artifactReference],
  };
}

/** A payer's statement with the keyed hash of its content, in hexadecimal. */
export interface HashedStatement extends CoverageStatement {
  readonly contentHash: string;
}

/**
 * Adds the keyed hash of a statement's content, without its source, observed_at and evidence. With an unkeyed hash, a guessed member
 * reference could be confirmed. Stored hashes are not computed again: after a change of the secret a repeated statement is a conflict.
 */
export function withContentHash(statement: CoverageStatement, secret: string): HashedStatement {
  const { source: _source, observedAtMs: _observedAt, evidenceReferences: _evidence, ...content } = statement;
  const contentHash = createHmac('sha256', secret)
    .update('coverage-statement\0')
    .update(canonicalJson(content))
    .digest('hex');
  return { ...statement, contentHash };
}

/**
 * Checks that a time which a payer states is not in the future. A repeated request is not checked: it gets its stored response, even if the
 * clock was set back after the first request.
 *
 * @throws ApiError validation_failed if the time is in the future
 */
export function checkNotInFuture(instantMs: number, now: Date, pointer: string): void {
  if (instantMs > now.getTime()) {
    throw new ApiError(
      'validation_failed',
      `${pointer} must not be in the future: the current time is ${now.toISOString()}`,
    );
  }
}
