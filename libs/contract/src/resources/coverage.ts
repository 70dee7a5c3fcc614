// What a payer says of a member's cover: observations, and the result of a batch of them.
import Type, { type Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { BATCH_RECORD_LIMIT } from '../limits';
import {
  amount,
  closedObject,
  count,
  nullable,
  objectName,
  oneOf,
  outputCurrency,
  outputInstant,
  outputText,
  part,
} from '../schema';

export const coverageStatuses = ['active', 'paused', 'exhausted', 'expired'] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

/** How an observation reached the service. */
export const coverageSources = ['payer_api', 'batch_file'] as const;
export type CoverageSource = (typeof coverageSources)[number];

const exampleObservation = {
  id: exampleIdentifier('coverageObservation'),
  object: 'coverage_observation',
  coverage_id: exampleIdentifier('coverage'),
  source: 'payer_api',
  source_contract_reference: 'contract/2027',
  external_coverage_reference: 'policy-4711',
  source_version: '7',
  snapshot_version: 1,
  status: 'active',
  service_code: 'psy.individual.50',
  amount_limit: { currency: 'KES', value: 400000 },
  remaining_sessions: 12,
  authorization_required: true,
  coordination_priority: 1,
  valid_from: '2027-01-01T00:00:00.000Z',
  valid_until: '2028-01-01T00:00:00.000Z',
  observed_at: '2027-02-01T06:00:00.000Z',
};

export const CoverageObservation = closedObject(
  'CoverageObservation',
  'One statement of a payer about a coverage at a moment. Observations are never changed; the latest observed one is the snapshot.',
  {
    id: identifier('coverageObservation', "The observation's identifier."),
    object: objectName('coverage_observation'),
    coverage_id: identifier('coverage', 'The coverage that was observed.'),
    source: oneOf(coverageSources, 'How the observation came in.'),
    source_contract_reference: outputText("The payer's contract."),
    external_coverage_reference: outputText("The payer's reference of the coverage."),
    source_version: outputText("The payer's version of the statement."),
    snapshot_version: count("The snapshot's version; grows when a later observation moves the snapshot.", 1),
    status: oneOf(coverageStatuses, "The coverage's status at the payer."),
    service_code: outputText('The service that is covered.'),
    amount_limit: part('Most that is covered of one session.', {
      currency: outputCurrency(),
      value: amount('The limit of one session.', 1),
    }),
    remaining_sessions: count('Sessions left, as the payer counted them.'),
    authorization_required: Type.Boolean({
      description: 'Whether a session must be authorized before it is claimed.',
    }),
    coordination_priority: nullable(
      count('Order among several coverages, 1 is primary; null ranks last.', 1),
    ),
    valid_from: outputInstant('Start of the cover.'),
    valid_until: outputInstant('End of the cover, exclusive.'),
    observed_at: outputInstant('When the payer saw this.'),
  },
  exampleObservation,
);
export type CoverageObservation = Static<typeof CoverageObservation>;

export const CoverageBatchResult = closedObject(
  'CoverageBatchResult',
  'What became of a batch: every record was recorded or had been recorded before.',
  {
    object: objectName('coverage_batch_result'),
    batch_reference: outputText("The payer's reference of the batch."),
    artifact_sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the exact body received, in lowercase hexadecimal.',
    }),
    total: count('Records in the batch.'),
    recorded: count('Records that were new.'),
    replayed: count('Records that had been recorded before with the same content.'),
    observations: Type.Array(CoverageObservation, {
      maxItems: BATCH_RECORD_LIMIT,
      description: 'The observation of each record, in the order of the batch.',
    }),
  },
  {
    object: 'coverage_batch_result',
    batch_reference: 'batch-2027-02-01',
    artifact_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    total: 1,
    recorded: 1,
    replayed: 0,
    observations: [exampleObservation],
  },
);
export type CoverageBatchResult = Static<typeof CoverageBatchResult>;
