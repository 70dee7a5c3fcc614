/**
 * Records the SQL of a claim's commands, step by step, with the project's handlers and activities but without Temporal. Steps have
 * names such as `submit.commit`; a step in another service is `command.elsewhere.step`.
 */
import { benefitsActivities } from '@carecover/benefits';
import { careActivities } from '@carecover/care';
import { claimSteps, claimsHandlers } from '@carecover/claims';
import type { Claim } from '@carecover/client';
import { paymentsActivities } from '@carecover/payments';
import type { TemporalCommands } from '@carecover/platform';
import { newId } from '@carecover/platform';
import type { Covered, World } from '@carecover/test-support';
import { ourCall } from './our-call';
import { Recorder } from './recorder';
import type { Recording } from './statement';

/** Records the SQL of a claim's commands. The tables of all services are in one database. */
export async function recordClaim(
  databaseUrl: (service: string) => string,
  projectId: string,
  world: World,
  claimable: Covered,
): Promise<Recording> {
  const recorder = new Recorder(databaseUrl);
  const sql = await recorder.sql('claims');
  const care = careActivities(await recorder.sql('care'));
  const benefits = benefitsActivities({
    sql: await recorder.sql('benefits'),
    notifyReviews: () => undefined,
  });
  const payments = paymentsActivities(await recorder.sql('payments'), 1_000);

  const commands = {
    async submit(of: { tenant: string; claimId: string; commandId: string }) {
      recorder.enter('submit.load');
      await own.loadClaim(of);
      recorder.enter('submit.prepare');
      const submission = await own.prepareSubmission(of, newId('req_'));
      if (submission === null) throw new Error('the submission already has a response');
      recorder.enter('submit.elsewhere.use');
      const used = await benefits.useForClaim({ ...submission, ...of });
      recorder.enter('submit.commit');
      await own.commitSubmission({ ...of, session: submission.session, ...used });
      recorder.enter('submit.answer');
    },
    async requestInformation(of: { tenant: string; claimId: string; commandId: string }) {
      recorder.enter('requestInformation.commit');
      await own.commitInformationRequest(of);
      recorder.enter('requestInformation.answer');
    },
    async submitEvidence(of: { tenant: string; claimId: string; commandId: string }) {
      recorder.enter('submitEvidence.commit');
      await own.commitEvidence(of);
      recorder.enter('submitEvidence.answer');
    },
    async adjudicate(of: { tenant: string; claimId: string; commandId: string }) {
      recorder.enter('adjudicate.prepare');
      const liability = await own.prepareAdjudication(of);
      if (liability === null) throw new Error('the adjudication already has a response');
      recorder.enter('adjudicate.elsewhere.open');
      await payments.openLiability(liability);
      recorder.enter('adjudicate.commit');
      await own.commitAdjudication({ ...of, decidedAt: liability.decidedAt });
      recorder.enter('adjudicate.answer');
    },
  };
  const temporalCommands = {
    command: (claimId: string, _: unknown, update: keyof typeof commands, message: { commandId: string }) =>
      commands[update]({ tenant: projectId, claimId, commandId: message.commandId }),
  } as unknown as TemporalCommands;
  const own = claimSteps(sql, (input) => care.sessionForClaim(input));
  const handlers = claimsHandlers(sql, temporalCommands);
  const claimIn = (result: unknown) => JSON.parse((result as { text: string }).text) as Claim;

  recorder.enter('submit.accept');
  const body = { ...world.claimInput(claimable), provider_claim_reference: newId('INV_') };
  const { id } = claimIn(await handlers.createClaim?.(ourCall('createClaim', projectId, { body })));
  const params = { claim_id: id };

  recorder.enter('requestInformation.accept');
  const question = { reason_code: 'notes_missing', requested_evidence_types: ['notes'] };
  const informationCall = ourCall('requestClaimInformation', projectId, { params, body: question });
  const [request] = claimIn(await handlers.requestClaimInformation?.(informationCall)).information_requests;

  recorder.enter('submitEvidence.accept');
  const evidence = { information_request_id: request?.id ?? '', evidence_refs: ['note:1'] };
  await handlers.submitClaimEvidence?.(ourCall('submitClaimEvidence', projectId, { params, body: evidence }));

  recorder.enter('adjudicate.accept');
  const adjudication = world.adjudicationInput();
  await handlers.adjudicateClaim?.(ourCall('adjudicateClaim', projectId, { params, body: adjudication }));
  return recorder.finish();
}
