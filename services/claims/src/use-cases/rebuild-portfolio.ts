/** Rebuilds the sums of a project from the facts of its claims: the deltas, and the roll-ups of months that are closed. */

import type { Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { deltasFrom } from '../rules/portfolio';
import { lockClaims } from '../store/claims';
import { portfolioHorizonOf } from '../store/closed-through';
import {
  appendDeltas,
  batchesOfClaimIds,
  deleteDeltas,
  type SequencedFact,
  summedFactsOf,
} from '../store/portfolio';
import { deleteRollUps, rollUpNextMonth } from '../store/portfolio-rollups';
import { waitWhileBusy } from './value-portfolio';

const BATCH = 200;

/** The number of claims whose deltas were derived, and the number of months that were rolled up. */
export interface Rebuilt {
  readonly claims: number;
  readonly months: number;
}

/** Returns the deltas of each commit on a claim. Facts with the same recorded_at are from the same commit. */
function deltasOfCommits(claimId: string, facts: readonly SequencedFact[]) {
  const starts = facts.flatMap(({ recordedAt }, index) =>
    recordedAt === facts[index - 1]?.recordedAt ? [] : [{ recordedAt, index }],
  );
  return starts.map(({ recordedAt, index }, number) => ({
    claimId,
    recordedAt,
    deltas: deltasFrom(facts.slice(0, starts[number + 1]?.index), index),
  }));
}

/**
 * Replaces the deltas of all claims of the tenant in batches, and then rolls up all closed months. Other transactions can change claims
 * meanwhile. The sums stay right, because one transaction replaces the deltas of a batch by deltas of the same facts. The roll-ups are
 * deleted after the last batch, because a read of the portfolio meanwhile can roll up a month whose deltas were not all replaced yet.
 */
export async function rebuildPortfolio(sql: Sql, tenant: Tenant): Promise<Rebuilt> {
  let claims = 0;
  for await (const ids of batchesOfClaimIds(sql, tenant, BATCH)) {
    await sql.begin(async (tx) => {
      await lockClaims(tx, tenant, ids);
      const facts = await summedFactsOf(tx, tenant, ids);
      await deleteDeltas(tx, tenant, ids);
      const deltas = [...facts].flatMap(([id, ofClaim]) => deltasOfCommits(id, ofClaim));
      await appendDeltas(tx, tenant, deltas);
    });
    claims += ids.length;
  }
  await sql.begin((tx) => deleteRollUps(tx, tenant));
  const { through } = await portfolioHorizonOf(sql, tenant);
  let months = 0;
  if (through === null) return { claims, months };
  for (;;) {
    const state = await waitWhileBusy(() => rollUpNextMonth(sql, tenant, through));
    if (state === null) return { claims, months };
    if (state.isMonthComplete) months += 1;
  }
}
