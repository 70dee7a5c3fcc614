/** Tests how many SQL statements and database round trips the commit of each command on a claim takes, so that an increase is noticed. */
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { newId } from '@carecover/platform';
import { type CountingSql, countStatements, newTenant, pendingCommand } from '@carecover/platform/testing';
import { type ClaimCommand, claimWorkflow } from '@carecover/workflow-claim/definition';
import { claimSteps, claimsForRemittances } from './activities';

const tenant = newTenant();

let database: TestDatabase;
let counting: CountingSql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  counting = countStatements(database.url('claims'));
});
afterAll(async () => {
  await counting.sql.end();
  await database.drop();
});

const command = (operation: ClaimCommand, claimId: string, body: object) =>
  pendingCommand(
    counting.sql,
    tenant,
    { operation, update: claimWorkflow.updates[operation] },
    claimId,
    body,
  );

const payments = { openLiability: async () => undefined, reverseLiability: async () => undefined };

/**
 * Commits the commands on one claim from its submission to its reversal. Returns the number of SQL statements and round trips of each step.
 */
async function life() {
  const { sql, costOf } = counting;
  const claimId = newId('clm_');
  const of = { tenant, claimId };
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();

  const sessionId = newId('ses_');
  const submission = await command('createClaim', claimId, {
    eligibility_check_id: newId('elg_'),
    session_id: sessionId,
    provider_claim_reference: newId('INV-'),
    lines: [{ code_system: 'CPT', service_code: 'visit', units: 1, amount: 100 }],
  });
  const session = {
    sessionId,
    bookingId: newId('bkg_'),
    practitionerId: newId('prc_'),
    startsAt: at(-7_200_000),
    endsAt: at(-3_600_000),
    status: 'delivered',
    paymentSource: 'covered',
  } as const;
  const steps = claimSteps(sql, async () => session, payments);
  const used = { preauthorizationId: null, currency: 'KES', payerId: 'payer_1', plan: 'Outpatient' };
  const submitted = await costOf(() =>
    steps.commitSubmission({
      ...of,
      commandId: submission,
      session,
      ...used,
    }),
  );

  const query = await command('requestClaimInformation', claimId, {
    reason_code: 'notes_missing',
    requested_evidence_types: ['notes'],
  });
  const queried = await costOf(() => steps.commitInformationRequest({ ...of, commandId: query }));

  const [request] = await sql<{ id: string }[]>`
    select id from information_requests where claim_id = ${claimId}`;
  const evidence = await command('submitClaimEvidence', claimId, {
    information_request_id: request?.id,
    evidence_refs: ['note:1'],
  });
  const resubmitted = await costOf(() => steps.commitEvidence({ ...of, commandId: evidence }));

  const adjudication = await command('adjudicateClaim', claimId, {
    policy_reference: 'policy:one',
    policy_version: '1',
    reason_codes: ['fee_schedule'],
    lines: [
      {
        line_number: 1,
        amount: { billed: 100, allowed: 100, payer: 100, patient_responsibility: 0, adjustment: 0 },
        reason_codes: ['fee_schedule'],
      },
    ],
  });
  let decidedAt = '';
  const prepared = await costOf(async () => {
    const result = await steps.prepareAdjudication({ ...of, commandId: adjudication }, newId('req_'));
    decidedAt = result?.decidedAt ?? '';
  });
  const adjudicated = await costOf(() =>
    steps.commitAdjudication({ ...of, commandId: adjudication, decidedAt }),
  );

  const reversal = await command('reverseClaim', claimId, { reason_code: 'recorded_in_error' });
  await steps.prepareReversal({ ...of, commandId: reversal }, newId('req_'));
  const reversed = await costOf(() => steps.commitReversal({ ...of, commandId: reversal }));
  return { claimId, costs: { submitted, queried, resubmitted, prepared, adjudicated, reversed } };
}

test('the commits of a claim cost few round trips each', async () => {
  // The first sequence of commands prepares the SQL statements, which costs additional round trips. So only the second sequence is
  // measured.
  await life();
  expect((await life()).costs).toEqual({
    submitted: { statements: 9, roundTrips: 4 },
    queried: { statements: 9, roundTrips: 4 },
    resubmitted: { statements: 9, roundTrips: 4 },
    prepared: { statements: 6, roundTrips: 3 },
    adjudicated: { statements: 9, roundTrips: 4 },
    reversed: { statements: 8, roundTrips: 4 },
  });
});

test('a remittance of a hundred claims is recorded in as many statements as one of one', async () => {
  const record = async (count: number) => {
    const claims: string[] = [];
    for (let n = 0; n < count; n++) claims.push((await life()).claimId);
    return counting.costOf(() =>
      claimsForRemittances(counting.sql, () => undefined).recordRemittance({
        tenant,
        remittanceId: newId('rem_'),
        receivedAt: new Date().toISOString(),
        allocations: claims.map((claimId) => ({
          claimId,
          amount: 1,
          reasonCode: 'fee_schedule',
          adjudicationVersion: 1,
        })),
      }),
    );
  };
  await record(1);
  const one = await record(1);
  expect(one).toEqual({ statements: 6, roundTrips: 3 });
  expect(await record(100)).toEqual(one);
});
