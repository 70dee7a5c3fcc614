/** Makes a cutoff final for all claims of a project, before sums over them are returned for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sql, type Tenant, unavailable } from '@carecover/platform';
import { LONGEST_WAIT_MS, millisecondsAhead } from '../rules/valuation';
import { closePortfolioThrough, portfolioHorizonOf } from '../store/closed-through';

/**
 * Waits until the cutoff (epoch milliseconds) has passed, and makes the facts of all claims through it final.
 *
 * @param pointer to the cutoff in the request
 * @throws ApiError validation_failed (more than 5 seconds ahead, and sums were never returned for it or a later one),
 *   service_unavailable
 */
export async function makePortfolioFinal(
  sql: Sql,
  tenant: Tenant,
  cutoff: number,
  pointer: string,
): Promise<void> {
  for (let waited = 0; ; ) {
    const { through, now } = await portfolioHorizonOf(sql, tenant);
    if (through !== null && cutoff <= through) return;
    const ahead = millisecondsAhead(cutoff, now, pointer);
    if (ahead <= 0) return closePortfolioThrough(sql, tenant, cutoff);
    if (waited + ahead > LONGEST_WAIT_MS) throw unavailable('The time of this cutoff');
    await sleep(ahead);
    waited += ahead;
  }
}
