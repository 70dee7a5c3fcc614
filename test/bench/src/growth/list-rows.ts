/**
 * Generates the rows of every list by SQL, in the tables of the services: fast enough for 10^6 rows per list, because no service and no
 * constraint between tables takes part.
 */
import type { OperationId } from '@carecover/contract';
import { connectPostgres, constantText, identifier } from '@carecover/postgres';
import type { ServiceName } from '@carecover/setup/migrate';

/** The project in which the lists are read. */
export const PROJECT = 'prj_large';
/** A project with a tenth as many rows. A status that almost all rows of {@link PROJECT} have is rare in it, and the other way round. */
export const OTHER_PROJECT = 'prj_other';
const DAY_MS = 86_400_000;
/** The time over which the rows are distributed, whatever their number. It ends now. */
const PERIOD_MS = 700 * DAY_MS;

/** Returns SQL of an ID that is generated when the row is created. */
const newId = (prefix: string) =>
  `'${prefix}' || lpad(to_hex(ms), 12, '0') || '7' || substr(md5(PROJECT_ID || n), 1, 19)`;
/** SQL of a reference that every tenth row has, from the oldest to the newest. */
const SPREAD = `n % 10`;
/** SQL of a reference that a hundred successive rows have. */
const GROUP = `n / 100`;
/** SQL that is true for four rows. */
const RARE = 'n % (greatest(4, COUNT) / 4) = 0';
/** SQL of a status: `frequent` for most rows, `rare` for four rows, `common` for every fiftieth. The other project has none that is frequent. */
const status = (frequent: string, common: string, rare: string) =>
  `case when ${RARE} then '${rare}' when PROJECT_ID = '${OTHER_PROJECT}' or n % 50 = 0 then '${common}' else '${frequent}' end`;

/** The rows of a table, and the lists that read them. */
export interface ListRows {
  readonly service: ServiceName;
  readonly table: string;
  /** The lists that read the table, each with the column that has the IDs of its items. */
  readonly lists: Readonly<Partial<Record<OperationId, string>>>;
  /** SQL that inserts rows from the series `made (n, ms, created_at)`. PROJECT_ID and COUNT stand for the project and the number of rows. */
  readonly inserts: readonly string[];
  /** Values of each filter that has no enumeration: at least one that some rows have, and one that none has. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Returns the path parameters of the lists. */
  readonly params?: (project: string) => Readonly<Record<string, string>>;
}

const instants = () => {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  return [ago(690), ago(350), ago(1), ago(-5), ago(-400)];
};

export const LIST_ROWS: readonly ListRows[] = [
  {
    service: 'care',
    table: 'practitioners',
    lists: { listPractitioners: 'id' },
    inserts: [
      `insert into practitioners (id, project_id, external_reference, name, profession, city, country, fee_amount, fee_currency, timezone,
         weekly_hours, created_at)
       select ${newId('prc_')}, PROJECT_ID, n, 'name', 'doctor', 'Nairobi', 'KE', 1, 'KES', 'UTC', '[]', created_at from made`,
    ],
    values: {},
  },
  {
    service: 'care',
    table: 'bookings',
    lists: { listBookings: 'id', listSessions: 'session_id' },
    inserts: [
      `insert into bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source,
         status, created_at, cancelled_at, cancellation_reason, recorded_by, external_reference, external_reference_key,
         external_reference_search)
       select ${newId('bkg_')}, PROJECT_ID, ${newId('ses_')}, 'prc_' || ${SPREAD}, created_at + (n * 7 % 20) * interval '1 day',
         created_at + (n * 7 % 20) * interval '1 day' + interval '1 second', 'UTC', 'online', 'covered', status, created_at,
         case status when 'cancelled' then created_at end, case status when 'cancelled' then 'x' end,
         'key', 'ref_' || n, 'ref_' || n, 'REF_' || n
       from made, lateral (select ${status('confirmed', 'cancelled', 'reserved')} as status)`,
    ],
    values: {
      session_id: ['ses_none'],
      external_reference: ['ref_500', 'ref_none'],
      practitioner_id: ['prc_3', 'prc_none'],
      starts_after: instants(),
      starts_before: instants(),
    },
  },
  {
    service: 'benefits',
    table: 'preauthorizations',
    lists: { listPreauthorizations: 'id' },
    inserts: [
      `insert into preauthorizations (id, project_id, environment, eligibility_check_id, booking_id, coverage_id,
         coverage_observation_id, status, requested_amount, currency, decide_by, created_at, updated_at)
       select ${newId('preauth_')}, PROJECT_ID, 'sandbox', 'elig_', 'bkg_' || n, 'cov_', 'cobs_', ${status('expired', 'cancelled', 'pending')},
         1, 'EUR', created_at, created_at, created_at from made`,
    ],
    values: { booking_id: ['bkg_500', 'bkg_none'] },
  },
  {
    service: 'claims',
    table: 'claims',
    lists: { listClaims: 'id' },
    inserts: [
      `insert into claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key,
         provider_claim_reference_search, eligibility_check_id, session_id, booking_id, practitioner_id, preauthorization_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status,
         submission_version, adjudication_version, last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
       select ${newId('clm_')}, PROJECT_ID, 'sandbox', 'ref_' || n, 'ref_' || n, 'ref_' || n, 'elig_', 'ses_' || n, 'bkg_', 'prc_' || ${SPREAD}, 'preauth_' || ${GROUP}, 'payer_',
         'plan', created_at, created_at, '[]', 'EUR', 1, ${status('settled', 'queried', 'denied')}, 1, 0, 1, 1, created_at, created_at,
         created_at, created_at from made`,
      `insert into information_requests (id, claim_id, project_id, number, reason_code, requested_evidence_types, status, due_at, created_at)
       select 'cir_' || PROJECT_ID || id, id, PROJECT_ID, 1, 'x', '[]', 'open', created_at + interval '10 days', created_at
       from claims where project_id = PROJECT_ID and status = 'queried'`,
    ],
    values: {
      provider_claim_reference: ['ref_500', 'ref_none'],
      session_id: ['ses_500', 'ses_none'],
      preauthorization_id: ['preauth_5', 'preauth_none'],
      practitioner_id: ['prc_3', 'prc_none'],
      due_before: instants(),
    },
  },
  {
    service: 'claims',
    table: 'valuation_runs',
    lists: { listValuationRuns: 'id' },
    inserts: [
      `insert into valuation_runs (id, project_id, environment, valuation_at, effective_through, kind, group_by, development, status, progress,
         failure, claims_counted, totals, groups, result_sha256, created_at, completed_at)
       select ${newId('vrun_')}, PROJECT_ID, 'sandbox', created_at, created_at, case when ${RARE} then 'development' else 'totals' end, '[]',
         case when ${RARE} then '{"by": "month"}'::jsonb end, status, 100, case status when 'failed' then 'x' end, 0, '[]', '[]', case status when 'ready' then 'x' end,
         created_at, case when status <> 'pending' then created_at end
       from made, lateral (select ${status('ready', 'failed', 'pending')} as status)`,
    ],
    values: {},
  },
  {
    service: 'claims',
    table: 'bulk_jobs',
    lists: { listBulkJobs: 'id' },
    inserts: [
      `insert into bulk_jobs (id, project_id, environment, kind, on_error, dry_run, status, caller, total, created_at, completed_at)
       select ${newId('job_')}, PROJECT_ID, 'sandbox', case when ${RARE} then 'adjudications' else 'claims' end, 'continue', false, status, '{}', 0,
         created_at, case when status in ('completed', 'stopped', 'cancelled') then created_at end
       from made, lateral (select ${status('completed', 'stopped', 'pending')} as status)`,
    ],
    values: {},
  },
  {
    service: 'payments',
    table: 'remittances',
    lists: { listRemittances: 'id', listPaymentAdvices: 'id' },
    inserts: [
      `insert into remittances (id, project_id, environment, payer_reference, payer_reference_key, payer_reference_search, currency, total,
         received_at, deadline, status, reconciled_at, created_at)
       select ${newId('rem_')}, PROJECT_ID, 'sandbox', 'era_' || n, 'era_' || n, 'era_' || n, 'EUR', 1, created_at, created_at, status,
         case status when 'reconciled' then created_at end, created_at
       from made, lateral (select ${status('reconciled', 'received', 'exception')} as status)`,
      `insert into remittance_allocations (remittance_id, claim_id, position, paid_amount, reason_codes, adjudication_version)
       select ${newId('rem_')}, 'clm_' || n / 2, 1, 1, '[]', 1 from made`,
    ],
    values: { payer_reference: ['era_500', 'era_none'], claim_id: ['clm_250', 'clm_none'] },
  },
  {
    service: 'payments',
    table: 'settlements',
    lists: { listSettlements: 'id' },
    inserts: [
      `insert into settlements (id, project_id, remittance_id, position, source_reference, source_reference_key, source_reference_search,
         currency, amount, allocations, status,
         observed_at, created_at)
       select ${newId('stl_')}, PROJECT_ID, 'rem_' || ${GROUP}, n + 10000000 * ascii(substr(PROJECT_ID, 5)), 'bank_' || n, 'bank_' || n, 'bank_' || n, 'EUR', 1, '[]', ${status('matched', 'unmatched', 'reversed')},
         created_at, created_at from made`,
    ],
    values: { remittance_id: ['rem_5', 'rem_none'], source_reference: ['bank_500', 'bank_none'] },
  },
  {
    service: 'webhooks',
    table: 'endpoints',
    lists: { listWebhookEndpoints: 'id' },
    inserts: [
      `insert into endpoints (id, project_id, url, destination, events, status, disabled_at, disabled_reason, created_at)
       select ${newId('whe_')}, PROJECT_ID, 'https://example.com', 'example.com:443', '{claim.settled}', status,
         case status when 'disabled' then created_at end, case status when 'disabled' then 'requested' end, created_at
       from made, lateral (select case when ${RARE} then 'active' else 'disabled' end as status)`,
    ],
    values: {},
  },
  {
    service: 'webhooks',
    table: 'events',
    lists: { listEvents: 'id' },
    inserts: [
      `insert into events (id, project_id, resource_id, type, payload, created_at)
       select ${newId('evt_')}, PROJECT_ID, 'clm_' || n, ${status('claim.settled', 'claim.denied', 'claim.queried')}, '{}', created_at from made`,
    ],
    values: {},
  },
  {
    service: 'webhooks',
    table: 'deliveries',
    lists: { listWebhookDeliveries: 'id' },
    params: (project) => ({ webhook_endpoint_id: `whe_${project}` }),
    inserts: [
      `insert into endpoints (id, project_id, url, destination, events, created_at)
       select 'whe_' || PROJECT_ID, PROJECT_ID, 'https://example.com', 'example.com:443', '{claim.settled}', created_at from made where n = 1`,
      // All deliveries have one status, as if no attempt had ever failed.
      `insert into deliveries (id, endpoint_id, project_id, type, created_at, status)
       select ${newId('evt_')}, 'whe_' || PROJECT_ID, PROJECT_ID, 'claim.settled', created_at, 'delivered' from made`,
    ],
    values: {},
  },
];

/**
 * Inserts `count` rows per list into the database, and a tenth of it for {@link OTHER_PROJECT}, and gathers statistics.
 *
 * @param adminUrl the URL of a database that has no such rows yet
 */
export async function insertListRows(adminUrl: string, count: number): Promise<void> {
  const admin = connectPostgres(adminUrl, 1, 'list-rows', { responseTimeoutMs: null });
  try {
    await admin.session(async (session) => {
      // Disables foreign keys: the inserted rows refer to rows that do not exist.
      await session`set session_replication_role = replica`;
      await session`set statement_timeout = 0`;
      // The check for overlapping bookings takes most of the time of an insert.
      await session`alter table care.bookings drop constraint bookings_one_at_a_time`;
      for (const { service, inserts } of LIST_ROWS) {
        await session`select set_config('search_path', ${`${service}, public`}, false)`;
        for (const [project, rows] of [
          [PROJECT, count],
          [OTHER_PROJECT, Math.ceil(count / 10)],
        ] as const) {
          const stepMs = Math.floor(PERIOD_MS / rows);
          for (const insert of inserts) {
            const text = `with made as materialized (
                select n, ms, to_timestamp(ms / 1000.0) as created_at
                from generate_series(1, ${rows}) n, lateral (select ${Date.now() - rows * stepMs}::bigint + n * ${stepMs}::bigint as ms))
              ${insert}`;
            const inserted = text.replaceAll('PROJECT_ID', `'${project}'`).replaceAll('COUNT', String(rows));
            await session`${constantText(inserted)}`;
          }
        }
      }
      await session`vacuum analyze`;
    });
  } finally {
    await admin.end();
  }
}

/** Reads the ID of an item near the oldest of each list in {@link PROJECT}. */
export async function oldIds(adminUrl: string): Promise<Partial<Record<OperationId, string>>> {
  const admin = connectPostgres(adminUrl, 1, 'list-rows');
  try {
    const ids: Partial<Record<OperationId, string>> = {};
    for (const { service, table, lists } of LIST_ROWS) {
      for (const [operation, column] of Object.entries(lists)) {
        const [row] = await admin<{ id: string }[]>`
          select ${identifier(column)} as id from ${identifier(`${service}.${table}`)}
          where project_id = ${PROJECT} order by created_at offset 100 limit 1`;
        if (row !== undefined) ids[operation as OperationId] = row.id;
      }
    }
    return ids;
  } finally {
    await admin.end();
  }
}
