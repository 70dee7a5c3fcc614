import { connectPostgres, type DatabaseGauge, registerGauges } from '@carecover/postgres';
import { createLog, metricsRegistry } from '@carecover/telemetry';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { GAUGES as benefits } from '../../../services/benefits/src/gauges';
import { GAUGES as care } from '../../../services/care/src/gauges';
import { GAUGES as claims } from '../../../services/claims/src/gauges';
import { GAUGES as payments } from '../../../services/payments/src/gauges';
import { GAUGES as webhooks } from '../../../services/webhooks/src/gauges';

const gaugesOf = { care, benefits, claims, payments, webhooks };
const services = Object.keys(gaugesOf) as (keyof typeof gaugesOf)[];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ services });
});
afterAll(() => database.drop());

test.each(services)(
  '%s can read every gauge as its own role, and each is 0 in a new database',
  async (service) => {
    const own: readonly DatabaseGauge[] = gaugesOf[service];
    const sql = connectPostgres(database.url(service), 2, 'gauges');
    try {
      registerGauges(service, sql, own, createLog(service, 'silent'));
      const text = await metricsRegistry.metrics();
      for (const { name } of own) expect(text).toContain(`\n${name}{service="${service}"} 0\n`);
    } finally {
      await sql.end();
    }
  },
);

test('a balance that is not the sum of its postings is counted', async () => {
  const admin = connectPostgres(`${database.adminUrl}`, 1, 'gauges');
  try {
    await admin`set search_path to payments`;
    await admin`insert into claim_accounts (claim_id, project_id, environment, currency, adjudication_id, adjudication_version)
      values ('clm_1', 'prj_1', 'sandbox', 'KES', 'adj_1', 1), ('clm_2', 'prj_1', 'sandbox', 'KES', 'adj_2', 1)`;
    await admin`insert into postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at)
      select 'prj_1', claim, 'charges', 'payer_liability', 700, 'KES', 'adj_1', now() from unnest(array['clm_1', 'clm_2']) claim`;
    const differences = payments.find(({ name }) => name === 'carecover_ledger_differences');
    expect(await differences?.read(admin)).toBe(0);
    await admin`update claim_accounts set payer_liability = 600, charges = -600 where claim_id = 'clm_2'`;
    expect(await differences?.read(admin)).toBe(1);
  } finally {
    await admin.end();
  }
});
