// Limits and deadlines that several packages use, each with its unit. No other file repeats these numbers.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The largest amount and the largest sum of amounts, in minor units: the largest integer that a JSON number holds exactly. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/** The longest public identifier, in characters. */
export const MAX_IDENTIFIER_LENGTH = 100;

/** The minimum and maximum length of an Idempotency-Key, in characters. */
export const IDEMPOTENCY_KEY_LENGTH = { min: 8, max: 255 } as const;

/** The minimum and maximum number of items of one page of a list, and the number if a request has no `limit`. */
export const PAGE_SIZE = { min: 1, max: 100, default: 20 } as const;

/** The maximum number of invalid fields that one error message names. */
export const MAX_PROBLEMS = 20;

/** The largest request body, in bytes. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** The largest body of a coverage batch, in bytes. */
export const BATCH_BODY_LIMIT_BYTES = 5 * 1024 * 1024;

/** The maximum number of records of one coverage batch. */
export const BATCH_RECORD_LIMIT = 500;

/** The version of the coverage batch format. Other versions are rejected. */
export const BATCH_CONTRACT_VERSION = '2026-08-01';

/** The maximum number of information requests of one claim, ended ones included. */
export const CLAIM_REQUEST_LIMIT = 100;

/** The maximum number of adjudications of one claim, replaced ones included. */
export const CLAIM_ADJUDICATION_LIMIT = 1_000;

/** The maximum number of remittances that allocate to one claim. */
export const CLAIM_REMITTANCE_LIMIT = 1_000;

/** The maximum number of allocations, denials, recoveries and adjustments of one payment advice together. */
export const ADVICE_LINE_LIMIT = 1_000;

/** The maximum number of lines of a payment advice that is imported from a file. */
export const ADVICE_FILE_LINE_LIMIT = 10_000;

/** The maximum number of settlements of one remittance, reversed ones included. */
export const REMITTANCE_SETTLEMENT_LIMIT = 1_000;

/** The minimum and maximum number of shares of one deposit. */
export const DEPOSIT_SHARES = { min: 2, max: 100 } as const;

/** The longest session of a booking, in milliseconds. */
export const MAX_SESSION_MS = 8 * HOUR;

/** How long ago a session that is recorded outside the calendar can have ended, in milliseconds: 400 days. */
export const RECORDED_SESSION_MS = 400 * DAY;

/** The longest period of one request for free slots, in milliseconds. */
export const SLOTS_WINDOW_MS = 31 * DAY;

/** The time in milliseconds after which an undecided pre-authorization expires. It expires earlier if its session starts before. */
export const PREAUTHORIZATION_DECISION_MS = 14 * DAY;

/** The time after which a recorded remittance that is not fully settled gets the status `exception`, in milliseconds. */
export const RECONCILIATION_MS = 30 * DAY;

/** How far a valuation's cutoff can be in the future, in milliseconds. The response waits until the cutoff. */
export const VALUATION_LOOKAHEAD_MS = 5 * SECOND;

/** The maximum number of practitioners, and of payers, that receivables list per currency. */
export const RECEIVABLES_GROUP_LIMIT = 1_000;

/** The maximum number of pending valuation runs of one project. */
export const PENDING_RUN_LIMIT = 100;

/** The maximum number of groups of a valuation run, and of the periods of a triangle. A run with more fails. */
export const VALUATION_RUN_LIMIT = { groups: 5_000, periods: 240 } as const;

/** The limits of the file of a bulk job: its size in bytes, unpacked, and the number of its lines. */
export const BULK_FILE_LIMIT = { bytes: 100 * 1024 * 1024, lines: 50_000 } as const;

/** The maximum number of bulk jobs of one project that have not ended. */
export const OPEN_BULK_JOB_LIMIT = 20;

/** The longest period whose events one recovery delivers again, in milliseconds. */
export const RECOVERY_WINDOW_MS = 30 * DAY;

/** The maximum number of a period's events that a recovery counts for its response. */
export const RECOVERY_COUNT_LIMIT = 50_000;

/** The lifetime of a token, in seconds. */
export const TOKEN_LIFETIME_SECONDS = { min: 60, max: 3600 } as const;

/** The maximum number of resources to which a token can be restricted. */
export const TOKEN_RESOURCE_LIMIT = 100;

/** How long deliveries are also signed with the old signing secret after it was replaced, in milliseconds. */
export const SECRET_OVERLAP_MS = 24 * HOUR;

/** The delays before each attempt of a delivery, in milliseconds without jitter. The length of the list is the number of attempts. */
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

/** The timeout of one attempt, in milliseconds, from the resolution of the host name to the end of the response. */
export const WEBHOOK_TIMEOUT_MS = 15 * SECOND;

/**
 * How long a failing endpoint stays enabled, in milliseconds: it is disabled if no attempt succeeded in this time after its first failed
 * attempt.
 */
export const WEBHOOK_DISABLE_AFTER_MS = 5 * DAY;

/** The limits of a test event's delivery: number of attempts, timeout of one attempt and of all attempts, in milliseconds. */
export const WEBHOOK_TEST = { attempts: 3, timeoutMs: 3 * SECOND, totalMs: 10 * SECOND } as const;

/** The maximum number of attempts in the history of a delivery. */
export const DELIVERY_HISTORY_LIMIT = 100;

/** The longest webhook URL, in characters. */
export const MAX_WEBHOOK_URL_LENGTH = 2048;

/**
 * The number of evidence references that Carecover adds to a decision: one each for eligibility check, booking and coverage observation.
 */
export const DECISION_EVIDENCE_ADDED = 3;

/**
 * The maximum number of a decision's evidence references: in a request, and in a response, which includes the references that Carecover
 * adds.
 */
export const DECISION_EVIDENCE_LIMIT = { input: 29, output: 29 + DECISION_EVIDENCE_ADDED } as const;
