/** Tests how many SQL statements and database round trips each command on a claim takes, so that an increase is noticed. */
import type { OperationId } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { createServiceApp, startHttpServer } from '@carecover/http';
import { createLog } from '@carecover/telemetry';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import {
  askService,
  type CountingSql,
  countStatements,
  newTenant,
  SERVICE_SECRET,
  TEST_ISSUER_KEYS,
} from '@carecover/testing/services';
import { claimSteps, claimsForPayments } from './activities';
import { claimsHandlers } from './routes/claims';
import { OtherServices } from './testing/other-services';
import { withExecutors } from './use-cases/executors';

const tenant = newTenant();
const others = new OtherServices();

let database: TestDatabase;
let counting: CountingSql;
let deps: ReturnType<typeof withExecutors>;
let server: { readonly port: number; close(): Promise<void> };

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  counting = countStatements(database.url('claims'));
  const { care, benefits, payments } = others;
  deps = withExecutors({ sql: counting.sql, care, benefits, payments, notifySignals: () => undefined });
  const app = createServiceApp({
    service: 'claims',
    handlers: claimsHandlers(deps, () => async () => ({})),
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: SERVICE_SECRET,
    log: createLog('claims', 'silent'),
    ready: async () => undefined,
  });
  server = await startHttpServer(app, '127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await counting.sql.end();
  await database.drop();
});

/** Sends a command and counts what it costs. Returns the claim with the cost. */
async function send(operation: OperationId, body: object, claimId?: string) {
  let claim: { id: string; information_requests: { id: string }[] } | undefined;
  const cost = await counting.costOf(async () => {
    const params = claimId === undefined ? {} : { claim_id: claimId };
    const answer = await askService(server.port, tenant, operation, { params, body });
    expect([operation, answer.code ?? null]).toEqual([operation, null]);
    claim = answer.body;
  });
  if (claim === undefined) throw new Error(`${operation} has no response`);
  return { claim, cost };
}

/** Executes commands on one claim from its submission to its reversal. Returns the number of SQL statements and round trips of each. */
async function life() {
  const submitted = await send('createClaim', {
    eligibility_check_id: newId('elig_'),
    session_id: others.deliveredSession().sessionId,
    provider_claim_reference: newId('INV-'),
    lines: [{ code_system: 'CPT', service_code: 'visit', units: 1, amount: 100 }],
  });
  const { id } = submitted.claim;
  const queried = await send(
    'requestClaimInformation',
    { reason_code: 'notes_missing', requested_evidence_types: ['notes'] },
    id,
  );
  const resubmitted = await send(
    'submitClaimEvidence',
    { information_request_id: queried.claim.information_requests[0]?.id, evidence_refs: ['note:1'] },
    id,
  );
  const adjudicated = await send(
    'adjudicateClaim',
    {
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
    },
    id,
  );
  const reviewed = await counting.costOf(() => claimSteps(deps).reviewClaim({ tenant, claimId: id }));
  const reversed = await send('reverseClaim', { reason_code: 'recorded_in_error' }, id);
  return {
    claimId: id,
    costs: {
      submitted: submitted.cost,
      queried: queried.cost,
      resubmitted: resubmitted.cost,
      adjudicated: adjudicated.cost,
      reviewed,
      reversed: reversed.cost,
    },
  };
}

test('the commands on a claim cost few round trips each', async () => {
  // The first sequence of commands prepares the SQL statements, which costs additional round trips. So only the second sequence is
  // measured.
  await life();
  expect((await life()).costs).toEqual({
    submitted: { statements: 11, roundTrips: 6 },
    queried: { statements: 10, roundTrips: 5 },
    resubmitted: { statements: 10, roundTrips: 5 },
    adjudicated: { statements: 19, roundTrips: 12 },
    reviewed: { statements: 3, roundTrips: 3 },
    reversed: { statements: 19, roundTrips: 13 },
  });
});

test('a remittance of thirty claims is recorded in as many statements as one of one', async () => {
  const record = async (count: number) => {
    const claims: string[] = [];
    for (let n = 0; n < count; n++) claims.push((await life()).claimId);
    return counting.costOf(() =>
      claimsForPayments(counting.sql, () => undefined).recordRemittance({
        tenant,
        remittanceId: newId('rem_'),
        receivedAt: new Date().toISOString(),
        allocations: claims.map((claimId) => ({
          claimId,
          amount: 1,
          reasonCode: 'fee_schedule',
          adjudicationVersion: 1,
          after: null,
        })),
      }),
    );
  };
  await record(1);
  const one = await record(1);
  expect(one).toEqual({ statements: 6, roundTrips: 4 });
  expect(await record(30)).toEqual(one);
});
