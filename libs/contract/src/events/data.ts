// The `data` of events: identifier, status, versions, currency and amounts of the resource at the time of the event. It has no
// personal or clinical data, because webhooks leave Carecover; a receiver reads the resource with its own key.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { type BulkJob, bulkJobCounts, bulkJobKinds, bulkJobStatuses } from '../resources/bulk-job';
import { type Claim, claimStatuses } from '../resources/claim';
import { type Preauthorization, preauthorizationStatuses } from '../resources/preauthorization';
import { type Remittance, remittanceStatuses } from '../resources/remittance';
import {
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  objectName,
  outputCurrency,
  safeInteger,
  stringEnum,
} from '../schema';

export const PingEventData = closedObject(
  'PingEventData',
  'The data of a test event.',
  { message: Type.Literal('pong', { description: 'Always `pong`.' }) },
  { message: 'pong' },
);
export type PingEventData = Static<typeof PingEventData>;

export const PreauthorizationEventData = closedObject(
  'PreauthorizationEventData',
  'A pre-authorization at the time of the event.',
  {
    id: identifier('preauthorization', 'The pre-authorization.'),
    object: objectName('preauthorization'),
    status: stringEnum(
      'PreauthorizationStatus',
      preauthorizationStatuses,
      'The status at the time of the event.',
    ),
    decision_version: nullable(safeInteger("The decision's version; null while there is no decision.", 1)),
    amount: inlineObject('Amounts, in one currency.', {
      requested: moneyAmount('The requested amount.', 1),
      approved: nullable(moneyAmount('The approved amount; null if not approved.', 1)),
      currency: outputCurrency(),
    }),
  },
  {
    id: exampleIdentifier('preauthorization'),
    object: 'preauthorization',
    status: 'approved',
    decision_version: 1,
    amount: { requested: 350000, approved: 350000, currency: 'KES' },
  },
);
export type PreauthorizationEventData = Static<typeof PreauthorizationEventData>;

export const ClaimEventData = closedObject(
  'ClaimEventData',
  'A claim at the time of the event.',
  {
    id: identifier('claim', 'The claim.'),
    object: objectName('claim'),
    status: stringEnum('ClaimStatus', claimStatuses, 'The status at the time of the event.'),
    submission_version: safeInteger('The number of submissions.', 1),
    adjudication_version: nullable(
      safeInteger("The current adjudication's version; null while there is none.", 1),
    ),
    amount: inlineObject('Amounts, in one currency.', {
      currency: outputCurrency(),
      billed: moneyAmount('The claimed amount.'),
      approved: nullable(moneyAmount("The payer's total; null while there is no adjudication.")),
      remitted: nullable(moneyAmount('The total of remittances; null until the first.')),
      settled: nullable(moneyAmount('The total of observed settlements; null until the first.')),
    }),
  },
  {
    id: exampleIdentifier('claim'),
    object: 'claim',
    status: 'settled',
    submission_version: 2,
    adjudication_version: 1,
    amount: { currency: 'KES', billed: 350000, approved: 300000, remitted: 300000, settled: 300000 },
  },
);
export type ClaimEventData = Static<typeof ClaimEventData>;

export const RemittanceEventData = closedObject(
  'RemittanceEventData',
  'A remittance at the time of the event.',
  {
    id: identifier('remittance', 'The remittance.'),
    object: objectName('remittance'),
    status: stringEnum('RemittanceStatus', remittanceStatuses, 'The status at the time of the event.'),
    amount: inlineObject('The total.', {
      currency: outputCurrency(),
      paid: moneyAmount('The sum of the allocations.'),
    }),
  },
  {
    id: exampleIdentifier('remittance'),
    object: 'remittance',
    status: 'reconciled',
    amount: { currency: 'KES', paid: 300000 },
  },
);
export type RemittanceEventData = Static<typeof RemittanceEventData>;

export const BulkJobEventData = closedObject(
  'BulkJobEventData',
  'A bulk job at the time of the event.',
  {
    id: identifier('bulkJob', 'The job.'),
    object: objectName('bulk_job'),
    kind: stringEnum('BulkJobKind', bulkJobKinds, 'What each line of the file is.'),
    status: stringEnum('BulkJobStatus', bulkJobStatuses, 'The status at the time of the event.'),
    counts: bulkJobCounts,
  },
  {
    id: exampleIdentifier('bulkJob'),
    object: 'bulk_job',
    kind: 'claims',
    status: 'completed',
    counts: { total: 640, succeeded: 637, replayed: 0, rejected: 3, waiting: 0 },
  },
);
export type BulkJobEventData = Static<typeof BulkJobEventData>;

/** Creates the event data of a pre-authorization. */
export function preauthorizationEventData(
  resource: Pick<Preauthorization, 'id' | 'status' | 'amount'> & {
    decision: Pick<NonNullable<Preauthorization['decision']>, 'version'> | null;
  },
): PreauthorizationEventData {
  const { requested, approved, currency } = resource.amount;
  return {
    id: resource.id,
    object: 'preauthorization',
    status: resource.status,
    decision_version: resource.decision?.version ?? null,
    amount: { requested, approved, currency },
  };
}

/** Creates the event data of a claim. */
export function claimEventData(
  resource: Pick<Claim, 'id' | 'status' | 'submission_version' | 'amount'> & {
    adjudication: Pick<NonNullable<Claim['adjudication']>, 'version'> | null;
  },
): ClaimEventData {
  const { currency, billed, approved, remitted, settled } = resource.amount;
  return {
    id: resource.id,
    object: 'claim',
    status: resource.status,
    submission_version: resource.submission_version,
    adjudication_version: resource.adjudication?.version ?? null,
    amount: { currency, billed, approved, remitted, settled },
  };
}

/** Creates the event data of a remittance. */
export function remittanceEventData(
  resource: Pick<Remittance, 'id' | 'status' | 'amount'>,
): RemittanceEventData {
  const { currency, paid } = resource.amount;
  return { id: resource.id, object: 'remittance', status: resource.status, amount: { currency, paid } };
}

/** Creates the event data of a bulk job. */
export function bulkJobEventData({
  id,
  kind,
  status,
  counts,
}: Pick<BulkJob, 'id' | 'kind' | 'status' | 'counts'>): BulkJobEventData {
  return { id, object: 'bulk_job', kind, status, counts };
}
