// Every error code of the API with its status, its meaning and the action for the client. The gateway's error page, the API
// description and the client's types are generated from the table below.

export interface ErrorExplanation {
  /** The HTTP status of every response with this code. */
  readonly status: number;
  readonly explanation: string;
  /** What a client should do after an error with this code. */
  readonly action: string;
  /** Whether the same request can succeed later without a change. */
  readonly retry: boolean;
}

const codes = {
  validation_failed: {
    status: 400,
    explanation:
      'The request is not well formed: broken JSON, a field that is missing, unknown, of the wrong type or out of bounds, a bad path or query parameter, a missing or badly sized Idempotency-Key, or a header given twice. The message names every invalid field (up to 20) as a JSON pointer with what was expected, separated by semicolons; a pointer under /query, /path or /headers names a parameter or header.',
    action: 'Correct the named fields and send the request again. The same Idempotency-Key may be used.',
    retry: false,
  },
  api_key_missing: {
    status: 401,
    explanation: 'The request carries neither an Authorization header nor an x-api-key header.',
    action:
      'Send the key as `Authorization: Bearer <key>`, or as the user name of HTTP Basic with an empty password.',
    retry: false,
  },
  api_key_invalid: {
    status: 401,
    explanation:
      'The presented key or token is malformed, unknown, revoked, replaced by rotation, expired, or belongs to the other environment; all of these cases return the same response. Or the Authorization header is not well formed, or two different keys were presented; the message then says so.',
    action:
      'Check which environment the key is for, and that it is the current one; ask for a new token if it was a token.',
    retry: false,
  },
  permission_denied: {
    status: 403,
    explanation:
      'The key is valid but lacks the scope that the operation requires; or a browser sent a secret key; or a token was used for an operation that requires a secret key, or for a resource outside its restrictions.',
    action: 'Use a key with the scope that the operation names. In browsers and mobile apps use a token.',
    retry: false,
  },
  consent_required: {
    status: 403,
    explanation:
      'The member has withdrawn consent to this sharing of data, or has not given it where it must be given.',
    action: 'Obtain the consent and record it with POST /consents, then repeat the request.',
    retry: false,
  },
  https_required: {
    status: 403,
    explanation:
      'The request was sent over plain HTTP. It was rejected without a check of its key, and was not redirected.',
    action: 'Use https. Treat the key that was sent unencrypted as disclosed, and rotate it.',
    retry: false,
  },
  resource_not_found: {
    status: 404,
    explanation:
      'There is no such path, or no such resource for this key. A resource of another project returns the same response as one that does not exist.',
    action: 'Check the identifier, the project and the environment of the key.',
    retry: false,
  },
  method_not_allowed: {
    status: 405,
    explanation: 'The path exists but not with this method. The Allow header lists those it has.',
    action: 'Use one of the allowed methods.',
    retry: false,
  },
  not_acceptable: {
    status: 406,
    explanation: 'The operation has no response in a format that the Accept header names.',
    action: 'Omit the header, or name `application/json` or one of the documented formats in it.',
    retry: false,
  },
  idempotency_conflict: {
    status: 409,
    explanation:
      'This Idempotency-Key was used for another request of this operation, with another path or body.',
    action: 'Use a new key for a new request. Repeat the first request unchanged to get its response.',
    retry: false,
  },
  invalid_state: {
    status: 409,
    explanation:
      "The resource's current state does not allow this step, for example deciding a pre-authorization that is no longer pending or cancelling a delivered session; or the resource has the maximum number of information requests, adjudications, remittances or settlements, or the project of pending valuation runs.",
    action:
      'Read the resource and decide from its current status. If the project has too many pending valuation runs, wait until one has ended.',
    retry: false,
  },
  slot_unavailable: {
    status: 409,
    explanation: 'The practitioner already has a booking that overlaps this time.',
    action: "List the practitioner's free slots and book one of them.",
    retry: false,
  },
  preauthorization_exists: {
    status: 409,
    explanation: 'The booking already has a pre-authorization that is pending or approved.',
    action: 'Use that pre-authorization, or cancel it first.',
    retry: false,
  },
  benefit_exhausted: {
    status: 409,
    explanation:
      'No session of the benefit is left to reserve; another approval may have taken the last one.',
    action: 'Deny the request, or wait until a reservation is released or the payer reports more sessions.',
    retry: false,
  },
  source_version_conflict: {
    status: 409,
    explanation: 'This version of the coverage is already recorded with other content.',
    action: 'Send changed content under a new source version.',
    retry: false,
  },
  duplicate_claim_reference: {
    status: 409,
    explanation: 'Another claim of the project has this provider_claim_reference.',
    action: 'Find that claim, or use another reference.',
    retry: false,
  },
  session_already_claimed: {
    status: 409,
    explanation: 'Another claim for this session is neither cancelled nor reversed.',
    action: 'Use that claim, or have it cancelled or reversed first.',
    retry: false,
  },
  duplicate_session_reference: {
    status: 409,
    explanation: 'Another recorded session of the project has this external_reference.',
    action: 'Find that session, or use another reference.',
    retry: false,
  },
  duplicate_remittance_reference: {
    status: 409,
    explanation: 'Another remittance or payment advice of the project has this payer_reference.',
    action: 'Find that remittance or payment advice, or use another reference.',
    retry: false,
  },
  advice_settled: {
    status: 409,
    explanation: 'Funds of the payment advice are recorded, so it can be neither withdrawn nor replaced.',
    action: 'Reverse the settlements that the message names, then repeat the request.',
    retry: false,
  },
  duplicate_settlement_reference: {
    status: 409,
    explanation: 'Another settlement of the project has this source_reference.',
    action: 'Find that settlement, or use another reference.',
    retry: false,
  },
  endpoint_disabled: {
    status: 409,
    explanation: 'The webhook endpoint is disabled, so nothing can be sent to it.',
    action: 'Set its status to active with PATCH, then repeat the request.',
    retry: false,
  },
  endpoint_limit_reached: {
    status: 409,
    explanation: 'The project has as many active webhook endpoints as its settings permit, 50 by default.',
    action: 'Disable an endpoint that is no longer needed, or ask the operator for a higher limit.',
    retry: false,
  },
  valuation_not_ready: {
    status: 409,
    explanation: 'The valuation run has no result: its status is pending or failed.',
    action: 'Read the run until its status is ready. If the status is failed, its failure has the reason.',
    retry: false,
  },
  payload_too_large: {
    status: 413,
    explanation: 'The body is larger than 1 MiB, or than 5 MiB for a coverage batch.',
    action: 'Send a smaller body.',
    retry: false,
  },
  unsupported_media_type: {
    status: 415,
    explanation: 'The body is not declared as JSON in UTF-8, or is compressed.',
    action: 'Send `Content-Type: application/json` and an uncompressed body.',
    retry: false,
  },
  session_in_past: {
    status: 422,
    explanation: "The session's start is in the past.",
    action:
      'Use a time in the future. For care of the past, record the session with POST /sessions and check eligibility with retrospective.',
    retry: false,
  },
  session_too_old: {
    status: 422,
    explanation: 'The session that is recorded ended more than 400 days ago.',
    action: 'Check the dates. A session that ended longer ago cannot be recorded.',
    retry: false,
  },
  outside_availability: {
    status: 422,
    explanation:
      "The time is not within the practitioner's weekly hours, in the practitioner's own time zone, or the format is not offered then.",
    action: "List the practitioner's free slots and book one of them.",
    retry: false,
  },
  not_eligible: {
    status: 422,
    explanation: 'The result of the eligibility check is ineligible.',
    action: 'Read its reason codes; make a new check when the cover has changed.',
    retry: false,
  },
  booking_not_covered: {
    status: 422,
    explanation: "The booking's payment source is self_pay, so no payer is involved.",
    action: 'Use a booking whose payment source is covered.',
    retry: false,
  },
  service_mismatch: {
    status: 422,
    explanation:
      "The eligibility check is for another time than the session's start, or none of the claim's lines has the check's service code.",
    action: 'Use the check that was made for this session and service.',
    retry: false,
  },
  amount_exceeds_request: {
    status: 422,
    explanation: 'The approved amount is above the requested amount.',
    action: 'Approve at most what was requested.',
    retry: false,
  },
  valid_until_in_past: {
    status: 422,
    explanation: "The approval's valid_until is not in the future.",
    action: 'Use a time in the future.',
    retry: false,
  },
  authorization_required: {
    status: 422,
    explanation:
      "The claim needs, or names, a pre-authorization, and there is no approved, unexpired one for that check and the session's booking that no other claim uses.",
    action: 'Obtain an approval for the booking, then submit the claim.',
    retry: false,
  },
  session_not_delivered: {
    status: 422,
    explanation: 'The session has not been delivered, so it cannot be claimed.',
    action: 'Submit the claim after the session has ended.',
    retry: false,
  },
  currency_mismatch: {
    status: 422,
    explanation: "The currency is not the claim's.",
    action: 'Send one remittance per currency.',
    retry: false,
  },
  adjudication_lines_mismatch: {
    status: 422,
    explanation:
      "The adjudication does not contain each of the claim's lines exactly once with its billed amount.",
    action: 'Read the claim and adjudicate every line once.',
    retry: false,
  },
  adjudication_unbalanced: {
    status: 422,
    explanation:
      'On at least one line billed is not allowed + adjustment, or allowed is not payer + patient_responsibility.',
    action: 'Correct the amounts of the line that the message names.',
    retry: false,
  },
  claim_not_adjudicated: {
    status: 422,
    explanation: 'An allocation names a claim that is neither approved nor partially approved.',
    action: 'Adjudicate the claim first, or omit it.',
    retry: false,
  },
  allocation_duplicate: {
    status: 422,
    explanation: 'Two allocations, two denials or two recoveries name the same claim.',
    action: 'Send one of each per claim.',
    retry: false,
  },
  over_allocation: {
    status: 422,
    explanation:
      "The allocations of a claim together exceed its approved amount; or a settlement's own allocations do not sum to its amount, name a claim that is not the remittance's, or exceed a claim's outstanding amount.",
    action: 'Read the claims and the remittance, and allocate at most the outstanding amounts.',
    retry: false,
  },
  over_recovery: {
    status: 422,
    explanation:
      'A recovery takes back more than was remitted for its claim and not taken back. The message has both amounts.',
    action: "Read the claim, and correct the recovery's amount or its claim.",
    retry: false,
  },
  advice_unbalanced: {
    status: 422,
    explanation:
      'The net of a payment advice is not the sum of its allocations less its recoveries plus its adjustments. The message has both numbers.',
    action: "Compare the advice with the payer's document, and send all of its lines.",
    retry: false,
  },
  future_timestamp: {
    status: 422,
    explanation: "The time of the reported event is ahead of the server's clock.",
    action: "Check the sender's clock.",
    retry: false,
  },
  webhook_url_not_allowed: {
    status: 422,
    explanation:
      'The address is not https, contains credentials or a fragment, or is a private, loopback or link-local address. A host name is resolved at each attempt: a name that resolves to such an address is accepted here, and its attempts fail.',
    action: 'Use an https address that is reachable from the internet.',
    retry: false,
  },
  rate_limited: {
    status: 429,
    explanation:
      'The project has exceeded its request limit for this minute, or its requests have used its processor time. The message says which.',
    action:
      'Wait for the number of seconds in Retry-After. If the project has used its processor time, send fewer expensive requests, such as long lists and reports.',
    retry: true,
  },
  internal_error: {
    status: 500,
    explanation:
      'The service failed with an unexpected error. The response does not show whether the request took effect.',
    action:
      'Retry with exponential backoff and the same Idempotency-Key; report the X-Request-Id if it persists.',
    retry: true,
  },
  service_unavailable: {
    status: 503,
    explanation:
      'A part of the service is unavailable or overloaded. A write may have taken effect; repeating it under the same Idempotency-Key never has a second effect.',
    action: 'Retry after the number of seconds in Retry-After, with the same Idempotency-Key.',
    retry: true,
  },
} as const satisfies Record<string, ErrorExplanation>;

export type ErrorCode = keyof typeof codes;

/** Every error code with its explanation, ordered by status. */
export const errorCodes: Readonly<Record<ErrorCode, ErrorExplanation>> = codes;

/**
 * Returns the HTTP status of an error code.
 *
 * @example errorStatus('slot_unavailable') // 409
 */
export function errorStatus(code: ErrorCode): number {
  return codes[code].status;
}

/** Returns whether the text is an error code. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(codes, text);
}

/** The path, from the gateway's root, of the documentation. */
export const DOCS_PATH = '/docs';

/** The path, from the gateway's root, of the page that explains the error codes. Requests for the page need no key. */
export const ERROR_DOCS_PATH = `${DOCS_PATH}/errors`;

/**
 * Returns the address of a code's explanation, as it is in `error.docs`.
 *
 * @param origin scheme, host and port of the gateway
 * @example errorDocs('https://api.example.com', 'rate_limited') // 'https://api.example.com/docs/errors#rate_limited'
 */
export function errorDocs(origin: string, code: ErrorCode): string {
  return `${origin}${ERROR_DOCS_PATH}#${code}`;
}
