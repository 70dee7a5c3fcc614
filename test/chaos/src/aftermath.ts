/** What must hold once whatever happened to a stack is over. */
import type { Event } from '@carecover/client';
import { eventTypes } from '@carecover/contract';
import { eventually } from '@carecover/local/testing';
import {
  eventsAfter,
  factsAfter,
  type Receiver,
  type RunningWorld,
  type Story,
  startReceiver,
} from '@carecover/test-support';
import { Client as Database } from 'pg';
import { runningWorkflows } from './running-workflows';

const PATIENCE_MS = 120_000;
/** What waits for something. */
const WAITING = `
  select id from claims.claims where status not in ('denied', 'settled', 'reversed', 'cancelled')
  union all select id from payments.remittances where status <> 'reconciled'
  union all select id from benefits.preauthorizations where status in ('pending', 'approved') and used_by_claim_id is null`;
/** With pre-authorizations that a claim uses, which need no workflow and may have one. */
const OPEN = `${WAITING}
  union all select id from benefits.preauthorizations where used_by_claim_id is not null`;
const WITH_COMMANDS = ['benefits', 'claims', 'payments'];
const union = (from: string) =>
  WITH_COMMANDS.map((schema) => `select 1 from ${schema}.${from}`).join(' union all ');

/** For a suite: a receiver of every event there is; gives the ids of those that it has heard of. */
export function useListener(running: RunningWorld): ReadonlySet<string> {
  const heard = new Set<string>();
  let receiver: Receiver | undefined;
  beforeAll(async () => {
    receiver = await startReceiver(({ headers }) => {
      heard.add(headers['webhook-id'] ?? '');
    });
    await running.world.client.webhookEndpoints.create({ url: receiver.url, events: [...eventTypes] });
  });
  afterAll(() => receiver?.close());
  return heard;
}

export class Aftermath {
  constructor(
    private readonly running: RunningWorld,
    private readonly heard: ReadonlySet<string>,
  ) {}

  private get client() {
    return this.running.world.client;
  }

  pendingCommands(): Promise<number> {
    return this.count(`select count(*) from (${union('commands where answer_status is null')}) pending`);
  }

  /** Events that the stream does not have yet. */
  unpublished(): Promise<number> {
    return this.count(`select count(*) from (${union('outbox')}) waiting`);
  }

  /** Each story, told to its end, is one claim with one of each fact. */
  async toldOnce(stories: readonly Story[], claims: readonly string[]): Promise<void> {
    const byReference = new Map<string, string[]>();
    for await (const { id, provider_claim_reference: reference } of this.client.claims.list({ limit: 100 })) {
      if (reference !== null) byReference.set(reference, [...(byReference.get(reference) ?? []), id]);
    }
    expect(stories.map(({ reference }) => byReference.get(reference))).toEqual(claims.map((id) => [id]));
    for (const id of claims) {
      const { updated_at, status } = await this.client.claims.retrieve(id);
      const { events } = await this.client.claims.value(id, updated_at);
      expect([id, status, events.map(({ type }) => type)]).toEqual([id, 'settled', factsAfter('settle')]);
    }
  }

  /** Every open resource has its workflow, and every workflow its open resource. */
  async workflowsFitTheFacts(): Promise<void> {
    const fit = async () => {
      const workflows = await runningWorkflows(this.running);
      const open = await this.ids(OPEN);
      const waiting = await this.ids(WAITING);
      return [...waiting].every((id) => workflows.has(id)) && [...workflows].every((id) => open.has(id));
    };
    await eventually('the workflows are those of what is open', fit, PATIENCE_MS);
  }

  /** Every fact of these claims was told once, has reached the receiver, and nothing was set aside. */
  async everythingIsTold(claims: readonly string[]): Promise<void> {
    const expected = eventsAfter('settle').sort();
    await eventually('every fact of a claim is an event', async () => {
      const events = await this.eventTypes();
      return claims.every((id) => (events.get(id)?.length ?? 0) >= expected.length);
    });
    const events = await this.eventTypes();
    for (const id of claims) expect([id, events.get(id)?.sort()]).toEqual([id, expected]);
    await eventually('every event has reached the receiver', async () => {
      for await (const { id } of this.client.events.list({ limit: 100 }))
        if (!this.heard.has(id)) return false;
      return true;
    });
    expect(await this.unpublished()).toBe(0);
    expect(await this.count('select count(*) from webhooks.dead_lettered_messages')).toBe(0);
  }

  /** No command waits, and the ledger agrees with the claims. */
  async booksBalance(): Promise<void> {
    await eventually(
      'every command is answered',
      async () => (await this.pendingCommands()) === 0,
      PATIENCE_MS,
    );
    await this.running.operator('ledger', 'verify');
  }

  private ids(query: string): Promise<Set<string>> {
    return this.ask<{ id: string }>(query).then((rows) => new Set(rows.map(({ id }) => id)));
  }

  private async eventTypes(): Promise<Map<string, Event['type'][]>> {
    const byResource = new Map<string, Event['type'][]>();
    for await (const { data, type } of this.client.events.list({ limit: 100 })) {
      if ('id' in data) byResource.set(data.id, [...(byResource.get(data.id) ?? []), type]);
    }
    return byResource;
  }

  private async count(query: string): Promise<number> {
    const [row] = await this.ask<{ count: string }>(query);
    return Number(row?.count);
  }

  private async ask<T extends object>(query: string): Promise<T[]> {
    const database = new Database({ connectionString: this.running.stack.file.database_url });
    await database.connect();
    try {
      return (await database.query<T>(query)).rows;
    } finally {
      await database.end();
    }
  }
}
