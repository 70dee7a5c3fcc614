/**
 * What tries say about an endpoint: whether it goes on, and since when all has failed. Pure, and the one place that
 * decides to disable an endpoint that its owner has not.
 */
import { WEBHOOK_DISABLE_AFTER_MS } from '@carecover/contract';

export interface Health {
  /** Since when every try has failed; null where the last one succeeded or none was made. */
  readonly firstFailureAt: Date | null;
}

/**
 * One finished attempt, as far as the endpoint's health goes. Attempts are told apart by when they ended: one that hangs fails after
 * others, begun later, that succeeded meanwhile.
 */
export interface Verdict {
  readonly endedAt: Date;
  readonly accepted: boolean;
  /** HTTP status; null where there was no answer. */
  readonly responseStatus: number | null;
}

export interface HealthDecision extends Health {
  /** Why the endpoint is to be disabled now: `gone` it said so (410), or `failing` for days; null to go on. */
  readonly disable: 'gone' | 'failing' | null;
}

const GONE = 410;

/** Evaluates an endpoint by attempts that ended together; any success among them counts. */
export function evaluateHealth(health: Health, verdicts: readonly Verdict[]): HealthDecision {
  if (verdicts.some(({ responseStatus }) => responseStatus === GONE)) {
    return { ...health, disable: 'gone' };
  }
  if (verdicts.some(({ accepted }) => accepted)) return { firstFailureAt: null, disable: null };
  const times = verdicts.map(({ endedAt }) => endedAt.getTime());
  const first = Math.min(health.firstFailureAt?.getTime() ?? Number.POSITIVE_INFINITY, ...times);
  const failingFor = Math.max(...times) - first;
  return {
    firstFailureAt: new Date(first),
    disable: failingFor >= WEBHOOK_DISABLE_AFTER_MS ? 'failing' : null,
  };
}
