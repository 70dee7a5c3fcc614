/**
 * Writers and readers on one claim: every valuation asked again afterwards is equal byte for byte, from either of two
 * replicas; no fault, and hardly anybody is told to come back.
 */

import { CarecoverConnectionError, hasCode } from '@carecover/client';
import { testSize } from '@carecover/local/testing';
import { useWorld } from '@carecover/test-support';

const WRITERS = testSize({ ci: 6, soak: 20 });
const READERS = testSize({ ci: 6, soak: 20 });
const DURATION_MS = testSize({ ci: 5_000, soak: 30_000 });
/** Of all answers; of a hundred or fewer, one. */
const MOST_UNAVAILABLE = 0.01;

const running = useWorld({ replicas: 2 });

interface Tally {
  answers: number;
  unavailable: number;
}

/** Counts answers; a rejection is an answer, and so is being told to come back. @throws anything else, a fault above all */
async function counted<T>(tally: Tally, call: () => Promise<T>): Promise<T | null> {
  tally.answers += 1;
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
    const { id } = await world.submitted();
    const tally: Tally = { answers: 0, unavailable: 0 };
    const answered = new Map<string, string>();
    const end = Date.now() + DURATION_MS;
    const once = { maxRetries: 0 };

    const writer = async () => {
      while (Date.now() < end) {
        const share = Math.floor(Math.random() * 300_000);
        await counted(tally, () => world.client.claims.adjudicate(id, world.adjudication(share), once));
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
        const answer = await counted(tally, () => value(cutoff));
        if (answer === null) continue;
        const before = answered.get(cutoff);
        if (before !== undefined) expect(answer.text).toBe(before);
        answered.set(cutoff, answer.text);
      }
    };
    await Promise.all([
      ...Array.from({ length: WRITERS }, writer),
      ...Array.from({ length: READERS }, reader),
    ]);

    expect(answered.size).toBeGreaterThan(0);
    for (const [cutoff, text] of answered) expect((await value(cutoff)).text).toBe(text);
    expect(tally.unavailable).toBeLessThanOrEqual(Math.max(1, tally.answers * MOST_UNAVAILABLE));
    process.stdout.write(
      `${tally.answers} answers, ${tally.unavailable} unavailable, ${answered.size} cutoffs asked again\n`,
    );
  },
  DURATION_MS + 240_000,
);
