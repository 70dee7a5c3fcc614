/**
 * The test operation. With an idempotency key it is a command: who comes second waits for the first, and a crash between
 * sending and answering ends, at the retry or by the sweep, in the same event once more, never in a second event. What no
 * try accepted is told as 502 and, like any failure, not remembered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WEBHOOK_TEST, type WebhookDelivery } from '@carecover/contract';
import { CommandGone, executeCommand, type Handlers, newId, type Sql } from '@carecover/platform';
import {
  type EndpointTestDeps,
  executeTestCommand,
  type TestBody,
  testableEndpoint,
  testOnce,
} from '../delivery/endpoint-test';
import { readEndpoint } from '../store/endpoints';

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

export function endpointTestHandlers(
  deps: EndpointTestDeps,
): Required<Pick<Handlers, 'testWebhookEndpoint'>> {
  const { sql } = deps;
  return {
    async testWebhookEndpoint(call) {
      const { caller, params } = call;
      const eventId = newId('evt_');
      const endpointId = params.webhook_endpoint_id;
      if (call.idempotencyKey === null) {
        const endpoint = await testableEndpoint(sql, caller, endpointId);
        const delivery = await testOnce(deps, caller, endpoint, eventId);
        return { status: delivery.delivered ? 200 : 502, body: delivery };
      }
      const body: TestBody = { webhook_endpoint_id: endpointId };
      try {
        return await executeCommand(sql, call, {
          resourceId: eventId,
          body,
          replayStatus: call.replayStatus,
          precheck: async () => {
            await testableEndpoint(sql, caller, endpointId);
          },
          send: async (command) => {
            const isFirst = command.resourceId === eventId;
            if (!isFirst && (await firstHasAnswered(sql, command.id))) return;
            const endpoint = await readEndpoint(sql, caller, endpointId);
            const refused = await executeTestCommand(deps, caller, endpoint, command);
            if (refused !== null) throw new NotAccepted(refused);
          },
        });
      } catch (error) {
        if (error instanceof NotAccepted) return { status: 502, body: error.delivery };
        throw error;
      }
    },
  };
}
