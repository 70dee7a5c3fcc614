// Coverage observations, and the result of a batch of them.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { BATCH_RECORD_LIMIT } from '../limits';
import {
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  objectName,
  outputCurrency,
  outputInstant,
  outputString,
  safeInteger,
  stringEnum,
} from '../schema';

export const coverageStatuses = ['active', 'paused', 'exhausted', 'expired'] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

/** How Carecover received a coverage observation. */
export const coverageSources = ['payer_api', 'batch_file'] as const;
export type CoverageSource = (typeof coverageSources)[number];

const exampleObservation = {
  id: exampleIdentifier('coverageObservation'),
  object: 'coverage_observation',
  coverage_id: exampleIdentifier('coverage'),
  source: 'payer_api',
  source_contract_reference: 'contract/2025',
  external_coverage_reference: 'coverage-4711',
  source_version: '7',
  snapshot_version: 1,
  status: 'active',
  service_code: 'psy.individual.50',
  amount_limit: { currency: 'KES', value: 400000 },
  remaining_sessions: 12,
  authorization_required: true,
  coordination_priority: 1,
  valid_from: '2025-01-01T00:00:00.000Z',
  valid_until: '2100-01-01T00:00:00.000Z',
  observed_at: '2025-02-01T06:00:00.000Z',
};

export const CoverageObservation = closedObject(
  'CoverageObservation',
  'One version of a coverage as the payer observed it. Observations never change. The one with the latest observed_at is the snapshot.',
  {
    id: identifier('coverageObservation', "The observation's identifier."),
    object: objectName('coverage_observation'),
    coverage_id: identifier('coverage', 'The observed coverage.'),
    source: stringEnum('CoverageSource', coverageSources, 'How the service received the observation.'),
    source_contract_reference: outputString("The payer's contract. Amounts by payer are grouped by it."),
    external_coverage_reference: outputString("The payer's reference of the coverage."),
    source_version: outputString("The payer's version of the observation."),
    snapshot_version: safeInteger(
      "The snapshot's version. It increases when a later observation replaces the snapshot.",
      1,
    ),
    status: stringEnum('CoverageStatus', coverageStatuses, "The coverage's status at the payer."),
    service_code: outputString('The service that is covered.'),
    amount_limit: inlineObject('The maximum covered amount per session.', {
      currency: outputCurrency(),
      value: moneyAmount('The amount.', 1),
    }),
    remaining_sessions: safeInteger('The number of remaining sessions at the payer.'),
    authorization_required: Type.Boolean({
      description: 'Whether a claim for a session requires a pre-authorization.',
    }),
    coordination_priority: nullable(
      safeInteger(
        'Rank among the coverages of a member who is insured by more than one payer: 1 is primary; null is last.',
        1,
      ),
    ),
    valid_from: outputInstant('Start of the cover.'),
    valid_until: outputInstant('End of the cover, exclusive.'),
    observed_at: outputInstant('When the payer observed this state.'),
  },
  exampleObservation,
);
export type CoverageObservation = Static<typeof CoverageObservation>;

export const CoverageBatchResult = closedObject(
  'CoverageBatchResult',
  'The result of a batch: the observation of every record, new or recorded before.',
  {
    object: objectName('coverage_batch_result'),
    batch_reference: outputString("The payer's reference of the batch."),
    artifact_sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the exact body received, in lowercase hexadecimal.',
    }),
    total: safeInteger('The number of records in the batch.'),
    recorded: safeInteger('The number of new observations.'),
    replayed: safeInteger('The number of observations recorded before with the same content.'),
    observations: Type.Array(CoverageObservation, {
      maxItems: BATCH_RECORD_LIMIT,
      description: 'The observation of each record, in the order of the batch.',
    }),
  },
  {
    object: 'coverage_batch_result',
    batch_reference: 'batch-2025-02-01',
    artifact_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    total: 1,
    recorded: 1,
    replayed: 0,
    observations: [exampleObservation],
  },
);
export type CoverageBatchResult = Static<typeof CoverageBatchResult>;
