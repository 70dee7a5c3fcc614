// The numbers that several parts of the system must agree on, each with its unit. Nothing else in the code may repeat them.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Largest amount, in minor units, and largest sum of amounts: the largest integer that a JSON number holds exactly. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/** Longest public identifier, in characters. */
export const MAX_IDENTIFIER_LENGTH = 100;

/** Length of an Idempotency-Key, in characters. */
export const IDEMPOTENCY_KEY_LENGTH = { min: 8, max: 255 } as const;

/** Lists: how many items one page may hold, and how many it holds if nothing is asked. */
export const PAGE_SIZE = { min: 1, max: 100, default: 20 } as const;

/** Most fields that one error names. */
export const MAX_PROBLEMS = 20;

/** Largest request body, in bytes of the body as received. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Largest body of a coverage batch, in bytes of the body as received. */
export const BATCH_BODY_LIMIT_BYTES = 5 * 1024 * 1024;

/** Most records in one coverage batch. */
export const BATCH_RECORD_LIMIT = 500;

/** The one version of the coverage batch format that is read. */
export const BATCH_CONTRACT_VERSION = '2026-08-01';

/** Longest session that a booking may ask for. */
export const MAX_SESSION_MS = 8 * HOUR;

/** A pre-authorization that nobody decides expires this long after its creation, or at the session's start if that is earlier. */
export const PREAUTHORIZATION_DECISION_MS = 14 * DAY;

/** How long reconciliation waits for money to be observed, from the remittance's recording, before it is an exception. */
export const RECONCILIATION_MS = 30 * DAY;

/** How far ahead of the server's clock a valuation's cutoff may lie; within that, the answer waits for it. */
export const VALUATION_LOOKAHEAD_MS = 5 * SECOND;

/** Longest stretch of events that one recovery may ask for. */
export const RECOVERY_WINDOW_MS = 30 * DAY;

/** Lifetime that may be asked for a token, in seconds. */
export const TOKEN_LIFETIME_SECONDS = { min: 60, max: 3600 } as const;

/** Most resources that a token may be narrowed to. */
export const TOKEN_RESOURCE_LIMIT = 100;

/** How long the secret that a rotation replaced keeps signing beside the new one. */
export const SECRET_OVERLAP_MS = 24 * HOUR;

/** Webhook delivery: the pause before each try (the first is immediate), before jitter. Its length is the number of tries. */
export const WEBHOOK_SCHEDULE_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
] as const;

/** How long one try of a webhook may take, from the name's resolution to the end of the answer. */
export const WEBHOOK_TIMEOUT_MS = 15 * SECOND;

/** An endpoint all of whose tries failed for this long since the first failure is disabled. */
export const WEBHOOK_DISABLE_AFTER_MS = 5 * DAY;

/** The test event: how many tries, how long one may take, and how long all of them together. */
export const WEBHOOK_TEST = { tries: 3, timeoutMs: 3 * SECOND, totalMs: 10 * SECOND } as const;

/** Longest webhook address, in characters. */
export const MAX_WEBHOOK_URL_LENGTH = 2048;

/** Evidence references that the service itself adds to a decision: the eligibility check, the booking and the observation. */
export const DECISION_EVIDENCE_ADDED = 3;

/** Longest list of a decision's evidence references in an answer: the caller's and the service's. */
export const DECISION_EVIDENCE_LIMIT = { input: 29, output: 29 + DECISION_EVIDENCE_ADDED } as const;
