/** Records the SQL of commands on a claim: executes Carecover's handlers, with the other services' steps called in this process. */
import { callsOfClaims as callsToBenefits } from '@carecover/benefits';
import { careActivities } from '@carecover/care';
import { claimsHandlers, withExecutors } from '@carecover/claims';
import type { Claim } from '@carecover/client';
import { newId } from '@carecover/domain';
import type { Covered, World } from '@carecover/testing/stack';
import { callsToPayments } from '../harness/calls-to-payments';
import { ourCall } from './our-call';
import { Recorder } from './recorder';
import type { Recording } from './statement';

/**
 * Records the SQL of the commands `submit`, `requestInformation`, `submitEvidence` and `adjudicate`.
 *
 * @param databaseUrl returns the connection URL for a service
 */
export async function recordClaim(
  databaseUrl: (service: string) => string,
  projectId: string,
  world: World,
  claimable: Covered,
): Promise<Recording> {
  const recorder = new Recorder(databaseUrl);
  const sql = await recorder.sql('claims');
  const notifySignals = () => undefined;
  const deps = withExecutors({
    sql,
    care: careActivities(await recorder.sql('care')),
    benefits: callsToBenefits({ sql: await recorder.sql('benefits'), notifySignals }),
    payments: callsToPayments(await recorder.sql('payments')),
    notifySignals,
  });
  const handlers = claimsHandlers(deps, () => async () => ({}));
  const claimIn = (result: unknown) => JSON.parse((result as { text: string }).text) as Claim;

  recorder.enter('submit');
  const body = { ...world.claimInput(claimable), provider_claim_reference: newId('INV_') };
  const { id } = claimIn(await handlers.createClaim?.(ourCall('createClaim', projectId, { body })));
  const params = { claim_id: id };

  recorder.enter('requestInformation');
  const question = { reason_code: 'notes_missing', requested_evidence_types: ['notes'] };
  const informationCall = ourCall('requestClaimInformation', projectId, { params, body: question });
  const [request] = claimIn(await handlers.requestClaimInformation?.(informationCall)).information_requests;

  recorder.enter('submitEvidence');
  const evidence = { information_request_id: request?.id ?? '', evidence_refs: ['note:1'] };
  await handlers.submitClaimEvidence?.(ourCall('submitClaimEvidence', projectId, { params, body: evidence }));

  recorder.enter('adjudicate');
  const adjudication = world.adjudicationInput();
  await handlers.adjudicateClaim?.(ourCall('adjudicateClaim', projectId, { params, body: adjudication }));
  return recorder.finish();
}
