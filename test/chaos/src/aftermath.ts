/** Checks that the data of a stack are consistent after failures of its processes and servers. */
import type { ClaimId, Event } from '@carecover/client';
import { eventTypes } from '@carecover/contract';
import { eventually } from '@carecover/testing/servers';
import {
  type ClaimScenario,
  expectedEvents,
  expectedFacts,
  type Receiver,
  type RunningWorld,
  startReceiver,
} from '@carecover/testing/stack';
import { Client as Database } from 'pg';
import { listRunningWorkflows } from './running-workflows';

const PATIENCE_MS = 120_000;
/** SQL that selects the resources that must have a running workflow. */
const NEED_WORKFLOW = `
  select id from claims.claims where status not in ('denied', 'settled', 'reversed', 'cancelled')
  union all select id from payments.remittances where status <> 'reconciled'
  union all select id from benefits.preauthorizations where status in ('pending', 'approved') and used_by_claim_id is null`;
const SCHEMAS_WITH_COMMANDS = ['care', 'benefits', 'claims', 'payments'];
const SCHEMAS_WITH_RUNS = ['benefits', 'claims', 'payments'];
const unionOf = (schemas: readonly string[], table: string) =>
  schemas.map((schema) => `select 1 from ${schema}.${table}`).join(' union all ');

/**
 * Registers Jest hooks that start a webhook receiver for all event types. Returns a set to which the receiver adds the ID of each event
 * that it receives.
 */
export function useEventReceiver(running: RunningWorld): ReadonlySet<string> {
  const received = new Set<string>();
  let receiver: Receiver | undefined;
  beforeAll(async () => {
    receiver = await startReceiver(({ headers }) => {
      received.add(headers['webhook-id'] ?? '');
    });
    await running.world.client.webhookEndpoints.create({ url: receiver.url, events: [...eventTypes] });
  });
  afterAll(() => receiver?.close());
  return received;
}

export class Aftermath {
  constructor(
    private readonly running: RunningWorld,
    private readonly received: ReadonlySet<string>,
  ) {}

  private get client() {
    return this.running.world.client;
  }

  /** Counts the pending commands of all services. */
  countPendingCommands(): Promise<number> {
    return this.count(`select count(*) from (${unionOf(SCHEMAS_WITH_COMMANDS, 'pending_commands')}) pending`);
  }

  /** Counts the notifications of payments that claims has not recorded. The commands that caused them have no response yet. */
  countPendingNotifications(): Promise<number> {
    return this.count('select count(*) from payments.claims_notifications where recorded_at is null');
  }

  /** Counts the signals to workflows that are pending in all services. */
  countPendingSignals(): Promise<number> {
    return this.count(`select count(*) from (${unionOf(SCHEMAS_WITH_RUNS, 'workflow_signals')}) pending`);
  }

  /** Counts the events that wait in the outboxes of all services to be published to the stream. */
  countUnpublishedEvents(): Promise<number> {
    return this.count(`select count(*) from (${unionOf(SCHEMAS_WITH_COMMANDS, 'outbox')}) waiting`);
  }

  /** Counts the client connections to the PostgreSQL server, including those of Temporal. */
  countDatabaseConnections(): Promise<number> {
    return this.count(`select count(*) from pg_stat_activity where backend_type = 'client backend'`);
  }

  /**
   * Expects that each of the given claim scenarios has created exactly one claim, and that this claim has each fact of its submission,
   * adjudication, remittance and settlement exactly once.
   */
  async expectRecordedOnce(scenarios: readonly ClaimScenario[], claims: readonly ClaimId[]): Promise<void> {
    const byReference = new Map<string, string[]>();
    for await (const { id, provider_claim_reference: reference } of this.client.claims.list({ limit: 100 })) {
      if (reference !== null) byReference.set(reference, [...(byReference.get(reference) ?? []), id]);
    }
    expect(scenarios.map(({ reference }) => byReference.get(reference))).toEqual(claims.map((id) => [id]));
    for (const id of claims) {
      const { updated_at, status } = await this.client.claims.retrieve(id);
      const { events } = await this.client.claims.valuation(id, { valuation_at: updated_at });
      expect([id, status, events.map(({ type }) => type)]).toEqual([id, 'settled', expectedFacts('settle')]);
    }
  }

  /** Expects that every open resource has a running workflow, and that no other resource has one. */
  async expectWorkflowsOfOpenResources(): Promise<void> {
    let differences = { missing: [] as string[], needless: [] as string[] };
    const areConsistent = async () => {
      const workflows = await listRunningWorkflows(this.running);
      const needed = await this.ids(NEED_WORKFLOW);
      differences = {
        missing: [...needed].filter((id) => !workflows.has(id)),
        needless: [...workflows].filter((id) => !needed.has(id)),
      };
      return differences.missing.length + differences.needless.length === 0;
    };
    await eventually('exactly the open resources have workflows', areConsistent, PATIENCE_MS).catch(() =>
      expect(differences).toEqual({ missing: [], needless: [] }),
    );
  }

  /**
   * Expects that each of these claims has each expected event exactly once, that the receiver got all events of the project, and that no
   * message was dead-lettered.
   */
  async expectAllEventsDelivered(claims: readonly ClaimId[]): Promise<void> {
    const expected = expectedEvents('settle').sort();
    await eventually('every fact of a claim has its event', async () => {
      const events = await this.eventTypes();
      return claims.every((id) => (events.get(id)?.length ?? 0) >= expected.length);
    });
    const events = await this.eventTypes();
    for (const id of claims) expect([id, events.get(id)?.sort()]).toEqual([id, expected]);
    await eventually('the receiver has every event', async () => {
      for await (const { id } of this.client.events.list({ limit: 100 }))
        if (!this.received.has(id)) return false;
      return true;
    });
    expect(await this.countUnpublishedEvents()).toBe(0);
    expect(await this.count('select count(*) from webhooks.dead_lettered_messages')).toBe(0);
  }

  /** Expects that no command and no notification to claims is pending, and that `carecover ledger verify` finds no difference between the ledger and the claims. */
  async expectBalancedLedger(): Promise<void> {
    await eventually(
      'every command has a response',
      async () => (await this.countPendingCommands()) + (await this.countPendingNotifications()) === 0,
      PATIENCE_MS,
    );
    await this.running.operator('ledger', 'verify');
  }

  private ids(query: string): Promise<Set<string>> {
    return this.query<{ id: string }>(query).then((rows) => new Set(rows.map(({ id }) => id)));
  }

  private async eventTypes(): Promise<Map<string, Event['type'][]>> {
    const byResource = new Map<string, Event['type'][]>();
    for await (const { data, type } of this.client.events.list({ limit: 100 })) {
      if ('id' in data) byResource.set(data.id, [...(byResource.get(data.id) ?? []), type]);
    }
    return byResource;
  }

  private async count(query: string): Promise<number> {
    const [row] = await this.query<{ count: string }>(query);
    return Number(row?.count);
  }

  private async query<T extends object>(sql: string): Promise<T[]> {
    const database = new Database({ connectionString: this.running.stack.file.database_url });
    await database.connect();
    try {
      return (await database.query<T>(sql)).rows;
    } finally {
      await database.end();
    }
  }
}
