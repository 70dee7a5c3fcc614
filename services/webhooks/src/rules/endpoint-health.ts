/** Decides from the results of attempts whether an endpoint is disabled automatically, and since when all attempts have failed. */
import { WEBHOOK_DISABLE_AFTER_MS } from '@carecover/contract';

export interface Health {
  /** The end of the first attempt since which all have failed; null if the last one succeeded or none was made. */
  readonly firstFailureAt: Date | null;
}

/**
 * The result of one attempt. Attempts are ordered by their end: an attempt that times out fails after later ones that succeeded
 * in the meantime.
 */
export interface AttemptResult {
  readonly endedAt: Date;
  readonly accepted: boolean;
  /** The HTTP status; null if there was no response. */
  readonly responseStatus: number | null;
}

export interface HealthDecision extends Health {
  /** Why the endpoint must be disabled: `gone` after a 410 response, `failing` after days of failures; null if it stays active. */
  readonly disable: 'gone' | 'failing' | null;
}

const GONE = 410;

/** Evaluates an endpoint by the attempts of one batch. One success among them clears earlier failures. */
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
