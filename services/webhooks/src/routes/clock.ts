/** The routes by which the gateway advances the clock of a simulated project. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { InternalRoute } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { clockRoute, clockRoutes } from '@carecover/service';
import { countUnfinished, dueItems, releaseRetries, type Unfinished } from '../store/clock-retries';

/** How long a request waits for events and attempts, and after how long it checks them first and at most, in milliseconds. */
const WAIT_MS = 4_000;
const POLL_MS = { first: 10, max: 100 } as const;

/**
 * Creates the routes. A retry is executed by its release to the dispatcher; `/clock/settle` then waits for the attempt, and for the
 * arrival and first attempts of the given events, for at most four seconds, and not at all without an active endpoint; it returns the number of
 * unfinished ones.
 */
export function webhookClockRoutes(sql: Sql): InternalRoute[] {
  return [
    ...clockRoutes(sql, dueItems, releaseRetries),
    clockRoute('settle', async (tenant, body): Promise<Unfinished> => {
      const { events } = body as { readonly events: readonly string[] };
      const endMs = performance.now() + WAIT_MS;
      for (let pauseMs: number = POLL_MS.first; ; pauseMs = Math.min(POLL_MS.max, 2 * pauseMs)) {
        const state = await countUnfinished(sql, tenant, events);
        const isDone = state.unfinished === 0 || (!state.hasReceivers && events.length === 0);
        if (isDone || performance.now() >= endMs) return state;
        await sleep(pauseMs);
      }
    }),
  ];
}
