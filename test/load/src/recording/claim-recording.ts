/** Records the SQL of commands on a claim: executes Carecover's handlers and steps in the order of the workflow, but without Temporal. */
import { benefitsActivities } from '@carecover/benefits';
import { careActivities } from '@carecover/care';
import { claimSteps, claimsHandlers } from '@carecover/claims';
import type { Claim } from '@carecover/client';
import { paymentsActivities } from '@carecover/payments';
import { newId, type SentCommand, type TemporalCommands } from '@carecover/platform';
import type { Covered, World } from '@carecover/test-support';
import { ourCall } from './our-call';
import { Recorder } from './recorder';
import type { Recording } from './statement';

interface CommandStep {
  readonly tenant: string;
  readonly claimId: string;
  readonly commandId: string;
}

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
  const care = careActivities(await recorder.sql('care'));
  const benefits = benefitsActivities(await recorder.sql('benefits'), () => undefined);
  const payments = paymentsActivities(await recorder.sql('payments'), 1_000);
  const own = claimSteps(sql, (input) => care.sessionForClaim(input), payments);

  const updates = {
    async submit(step: CommandStep) {
      const submission = await own.prepareSubmission(step, newId('req_'));
      if (submission === null) throw new Error('the submission already has a response');
      const used = await benefits.useForClaim({ ...submission, ...step });
      await own.commitSubmission({ ...step, session: submission.session, ...used });
    },
    requestInformation: (step: CommandStep) => own.commitInformationRequest(step),
    submitEvidence: (step: CommandStep) => own.commitEvidence(step),
    async adjudicate(step: CommandStep) {
      const prepared = await own.prepareAdjudication(step, newId('req_'));
      if (prepared === null) throw new Error('the adjudication already has a response');
      await own.commitAdjudication({ ...step, ...prepared });
    },
  };
  const withoutTemporal = {
    command: (_: unknown, { id: commandId, resourceId, update }: SentCommand) =>
      updates[update as keyof typeof updates]({ tenant: projectId, claimId: resourceId, commandId }),
  } as unknown as TemporalCommands;
  const handlers = claimsHandlers(sql, withoutTemporal, () => async () => ({}));
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
