/**
 * Sends concurrent writes and reads of one claim to two replicas of each process. A repeated valuation must have the same bytes from both
 * replicas, no response may be an internal error, and at most 1 % of the responses may be service_unavailable.
 */

import { CarecoverConnectionError, hasCode } from '@carecover/client';
import { testSize } from '@carecover/testing/servers';
import { running } from './world';

const WRITERS = testSize({ ci: 6, soak: 20 });
const READERS = testSize({ ci: 6, soak: 20 });
const DURATION_MS = testSize({ ci: 5_000, soak: 30_000 });
/** The maximum share of responses that can be service_unavailable. One response with service_unavailable is always allowed. */
const MAX_UNAVAILABLE_RATIO = 0.01;

interface Tally {
  responses: number;
  unavailable: number;
}

/**
 * Executes a call, and counts its response in `tally`. Returns null for the API errors service_unavailable, invalid_state and
 * resource_not_found. @throws any other error, such as an internal error
 */
async function countResponse<T>(tally: Tally, call: () => Promise<T>): Promise<T | null> {
  tally.responses += 1;
  try {
    return await call();
  } catch (error) {
    if (hasCode(error, 'service_unavailable')) tally.unavailable += 1;
    else if (
      error instanceof CarecoverConnectionError ||
      !hasCode(error, 'invalid_state', 'resource_not_found')
    )
      throw error;
    return null;
  }
}

test(
  `${WRITERS} writers and ${READERS} readers on one claim for ${DURATION_MS / 1000} s`,
  async () => {
    const { world } = running;
    const { id } = await world.createSubmittedClaim();
    const tally: Tally = { responses: 0, unavailable: 0 };
    const valuations = new Map<string, string>();
    const end = Date.now() + DURATION_MS;
    const once = { maxRetries: 0 };

    const writer = async () => {
      while (Date.now() < end) {
        const share = Math.floor(Math.random() * 300_000);
        await countResponse(tally, () =>
          world.client.claims.adjudicate(id, world.adjudicationInput(share), once),
        );
      }
    };
    const value = (cutoff: string) =>
      world.client.transport.raw(
        'getClaimValuation',
        { params: { claim_id: id }, query: { valuation_at: cutoff } },
        once,
      );
    const reader = async () => {
      while (Date.now() < end) {
        const cutoff = new Date(Date.now() - 500 + Math.random() * 1_000).toISOString();
        const response = await countResponse(tally, () => value(cutoff));
        if (response === null) continue;
        const before = valuations.get(cutoff);
        if (before !== undefined) expect(response.text).toBe(before);
        valuations.set(cutoff, response.text);
      }
    };
    await Promise.all([
      ...Array.from({ length: WRITERS }, writer),
      ...Array.from({ length: READERS }, reader),
    ]);

    expect(valuations.size).toBeGreaterThan(0);
    for (const [cutoff, text] of valuations) expect((await value(cutoff)).text).toBe(text);
    expect(tally.unavailable).toBeLessThanOrEqual(Math.max(1, tally.responses * MAX_UNAVAILABLE_RATIO));
    process.stdout.write(
      `${tally.responses} responses, ${tally.unavailable} unavailable, ${valuations.size} cutoffs valued again\n`,
    );
  },
  DURATION_MS + 240_000,
);
