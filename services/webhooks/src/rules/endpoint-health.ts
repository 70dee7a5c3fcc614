/**
 * The rule that disables an endpoint automatically: after a 410 response, or if all attempts have failed for at least {@link
 * WEBHOOK_DISABLE_AFTER_MS}.
 */
import { WEBHOOK_DISABLE_AFTER_MS } from '@carecover/contract';

export interface Health {
  /** The end of the first failed attempt since the last successful one; null if the last attempt succeeded or none was made. */
  readonly firstFailureAt: Date | null;
}

/**
 * The result of one attempt. The time of an attempt is its end, not its start: an attempt that times out fails after attempts that started
 * later and succeeded meanwhile.
 */
export interface AttemptResult {
  readonly endedAt: Date;
  readonly accepted: boolean;
  /** The HTTP status; null if there was no response. */
  readonly responseStatus: number | null;
}

export interface HealthDecision extends Health {
  /** The reason to disable the endpoint: `gone` after a 410 response, `failing` after days of failures; null if it stays active. */
  readonly disable: 'gone' | 'failing' | null;
}

const GONE = 410;

/** Evaluates the health of an endpoint by the results of a batch of attempts. One success in the batch clears all failures. */
export function evaluateHealth(health: Health, results: readonly AttemptResult[]): HealthDecision {
  if (results.some(({ responseStatus }) => responseStatus === GONE)) {
    return { ...health, disable: 'gone' };
  }
  if (results.some(({ accepted }) => accepted)) return { firstFailureAt: null, disable: null };
  const times = results.map(({ endedAt }) => endedAt.getTime());
  const first = Math.min(health.firstFailureAt?.getTime() ?? Number.POSITIVE_INFINITY, ...times);
  const failingFor = Math.max(...times) - first;
  return {
    firstFailureAt: new Date(first),
    disable: failingFor >= WEBHOOK_DISABLE_AFTER_MS ? 'failing' : null,
  };
}
