/**
 * The test operation. With an idempotency key it is a command: who comes second waits for the first, and a crash between
 * sending and answering ends, at the retry, in the same event once more, never in a second event. What no try accepted is told as 502 and, like any failure, not
 * remembered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_EVENT_TYPE, WEBHOOK_TEST, type WebhookDelivery } from '@carecover/contract';
import {
  type Caller,
  CommandGone,
  carryOut,
  commitCommand,
  databaseNow,
  dropCommand,
  type Handlers,
  newId,
  notFound,
  type Sql,
} from '@carecover/platform';
import { type PingTry, pingPayload, tryPing } from '../delivery/ping';
import type { Sender } from '../delivery/sender';
import type { Keyring } from '../signing/keyring';
import { type EndpointRow, readEndpoint } from '../store/endpoints';
import { keepEvent } from '../store/events';
import { recordPing } from '../store/ping-deliveries';
import { liveSecrets } from '../store/signing-secrets';

export interface EndpointTestDeps {
  readonly sql: Sql;
  readonly keyring: Keyring;
  readonly sender: Sender;
}

/** Longer than a test takes: the sender of an older command without an answer is gone. */
const SENDER_GONE_MS = WEBHOOK_TEST.totalMs + 2_000;
const LOOK_MS = 50;

/**
 * Waits for whoever brought the command first; false where that one is gone.
 * @throws CommandGone where its test was not accepted
 */
async function firstHasAnswered(sql: Sql, commandId: string): Promise<boolean> {
  for (;;) {
    const [command] = await sql<{ answered: boolean; abandoned: boolean }[]>`
      select answer_status is not null as answered,
             created_at < platform.now() - ${SENDER_GONE_MS} * interval '1 millisecond' as abandoned
      from commands where id = ${commandId}`;
    if (command === undefined) throw new CommandGone(`command ${commandId} is gone`);
    if (command.answered || command.abandoned) return command.answered;
    await sleep(LOOK_MS);
  }
}

class NotAccepted extends Error {
  override readonly name = 'NotAccepted';

  constructor(readonly delivery: WebhookDelivery) {
    super('no try of the test event was accepted');
  }
}

interface Ping {
  readonly at: Date;
  readonly tries: readonly PingTry[];
  readonly accepted: boolean;
}

export function endpointTestHandlers({
  sql,
  keyring,
  sender,
}: EndpointTestDeps): Required<Pick<Handlers, 'testWebhookEndpoint'>> {
  async function ping(caller: Caller, endpoint: EndpointRow, eventId: string): Promise<Ping> {
    const at = await databaseNow(sql);
    const payload = await keepEvent(sql, {
      id: eventId,
      tenant: caller.tenant,
      resourceId: endpoint.id,
      type: TEST_EVENT_TYPE,
      payload: pingPayload(eventId, caller.environment, at),
      createdAt: at,
    });
    const secrets = (await liveSecrets(sql, endpoint.id)).map((sealed) => keyring.open(sealed, endpoint.id));
    const tries = await tryPing(sender, { url: endpoint.url, eventId, payload, secrets });
    return { at, tries, accepted: tries.at(-1)?.outcome.accepted === true };
  }

  return {
    async testWebhookEndpoint(call) {
      const { caller, params } = call;
      const eventId = newId('evt_');
      const activeEndpoint = async () => {
        const endpoint = await readEndpoint(sql, caller, params.webhook_endpoint_id);
        if (endpoint.status === 'disabled' || caller.environment === 'production') throw notFound();
        return endpoint;
      };
      if (call.idempotencyKey === null) {
        const endpoint = await activeEndpoint();
        const { at, tries, accepted } = await ping(caller, endpoint, eventId);
        const delivery = await sql.begin((tx) => recordPing(tx, endpoint, eventId, at, tries));
        return { status: accepted ? 200 : 502, body: delivery };
      }
      try {
        return await carryOut(sql, call, {
          resourceId: eventId,
          body: null,
          replayStatus: call.replayStatus,
          precheck: async () => {
            await activeEndpoint();
          },
          send: async (command) => {
            const isFirst = command.resourceId === eventId;
            if (!isFirst && (await firstHasAnswered(sql, command.id))) return;
            const endpoint = await readEndpoint(sql, caller, params.webhook_endpoint_id);
            const { at, tries, accepted } = await ping(caller, endpoint, command.resourceId);
            const record = (tx: Parameters<typeof recordPing>[0]) =>
              recordPing(tx, endpoint, command.resourceId, at, tries);
            if (accepted) {
              await commitCommand(sql, command.id, async (tx) => ({ status: 200, body: await record(tx) }));
              return;
            }
            throw await sql.begin(async (tx) => {
              const delivery = await record(tx);
              await dropCommand(tx, command.id);
              return new NotAccepted(delivery);
            });
          },
        });
      } catch (error) {
        if (error instanceof NotAccepted) return { status: 502, body: error.delivery };
        throw error;
      }
    },
  };
}
