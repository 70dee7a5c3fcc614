// The example data of every event type. Together the examples show one claim of KES 3,500.00 with its pre-authorization and remittance.
import type { ClaimStatus } from '../resources/claim';
import type { PreauthorizationStatus } from '../resources/preauthorization';
import type { RemittanceStatus } from '../resources/remittance';
import { BulkJobEventData, ClaimEventData, PreauthorizationEventData, RemittanceEventData } from './data';
import type { EventType } from './types';

function exampleOf<T>(schema: object): T {
  return Reflect.get(schema, 'examples')[0];
}

function preauthorization(
  status: PreauthorizationStatus,
  decisionVersion: number | null,
  approved: number | null,
): PreauthorizationEventData {
  const example = exampleOf<PreauthorizationEventData>(PreauthorizationEventData);
  return { ...example, status, decision_version: decisionVersion, amount: { ...example.amount, approved } };
}

function claim(
  status: ClaimStatus,
  versions: readonly [submission: number, adjudication: number | null],
  amounts: Partial<ClaimEventData['amount']> = {},
): ClaimEventData {
  const example = exampleOf<ClaimEventData>(ClaimEventData);
  const amount = { ...example.amount, approved: null, remitted: null, settled: null, ...amounts };
  return {
    ...example,
    status,
    submission_version: versions[0],
    adjudication_version: versions[1],
    amount,
  };
}

function remittance(status: RemittanceStatus): RemittanceEventData {
  return { ...exampleOf<RemittanceEventData>(RemittanceEventData), status };
}

/** For each event type, the resource's version and the data of the example. */
export const eventExamples: Readonly<Record<EventType, readonly [version: number, data: object]>> = {
  'sandbox.ping': [1, { message: 'pong' }],
  'preauthorization.requested': [1, preauthorization('pending', null, null)],
  'preauthorization.approved': [2, preauthorization('approved', 1, 350_000)],
  'preauthorization.denied': [2, preauthorization('denied', 1, null)],
  'preauthorization.expired': [3, preauthorization('expired', 1, 350_000)],
  'preauthorization.cancelled': [2, preauthorization('cancelled', null, null)],
  'claim.submitted': [1, claim('submitted', [1, null])],
  'claim.information_requested': [2, claim('queried', [1, null])],
  'claim.resubmitted': [3, claim('submitted', [2, null])],
  'claim.approved': [4, claim('approved', [2, 1], { approved: 350_000 })],
  'claim.partially_approved': [4, claim('partially_approved', [2, 1], { approved: 300_000 })],
  'claim.denied': [4, claim('denied', [2, 1], { approved: 0 })],
  'claim.settled': [5, claim('settled', [2, 1], { approved: 300_000, remitted: 300_000, settled: 300_000 })],
  'claim.reversed': [6, claim('reversed', [2, null], { remitted: 300_000, settled: 300_000 })],
  'claim.cancelled': [2, claim('cancelled', [1, null])],
  'remittance.reconciled': [2, remittance('reconciled')],
  'remittance.exception': [2, remittance('exception')],
  'bulk_job.completed': [1, exampleOf<BulkJobEventData>(BulkJobEventData)],
};
