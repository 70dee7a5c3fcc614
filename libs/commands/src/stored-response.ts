/**
 * The stored form of a response: raw deflate (RFC 1951) with a preset dictionary, after one byte with the number of the dictionary. The
 * dictionary contains the property names of all responses, so the stored form contains little more than identifiers and times.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * The dictionaries of the compression, by number. Never change a dictionary, because stored responses need it for ever. Add a new
 * dictionary at the end, and a response that is stored with it to the test's golden file.
 */
const DICTIONARIES = [
  [
    '{"id":"con_","object":"consent","status":"withdrawn","updated_at":"',
    '{"id":"whe_","object":"webhook_endpoint","url":"https://","events":["preauthorization.requested","preauthorization.approved","preauthorization.denied","preauthorization.expired","preauthorization.cancelled","claim.submitted","claim.information_requested","claim.resubmitted","claim.partially_approved","claim.settled","claim.reversed","claim.cancelled","remittance.reconciled","remittance.exception"],"status":"active","created_at":"2026-01-01T00:00:00.000Z","disabled_at":null}',
    '{"id":"evt_","object":"webhook_delivery","delivered":true,"attempts":1,"response_status":204}',
    '{"object":"coverage_batch_result","batch_reference":"","artifact_sha256":"","total":500,"recorded":500,"replayed":0,"observations":[{"id":"cobs_","object":"coverage_observation","coverage_id":"cov_","source":"batch_file"',
    ',"cancelled","denied","reversed","settled","exhausted","expired","USD","EUR","GBP","reconciled","exception","unmatched","in_progress","confirmed","self_pay","phone","in_person","ineligible","coverage_not_found","production","sandbox",',
    '{"id":"cobs_","object":"coverage_observation","coverage_id":"cov_","source":"payer_api","source_contract_reference":"","external_coverage_reference":"","source_version":"1","snapshot_version":1,"status":"active","service_code":"","amount_limit":{"currency":"KES","value":0},"remaining_sessions":10,"authorization_required":true,"coordination_priority":1,"valid_from":"2026-01-01T00:00:00.000Z","valid_until":"2026-01-01T00:00:00.000Z","observed_at":"2026-01-01T00:00:00.000Z"}',
    '{"id":"rem_","object":"remittance","status":"received","payer_reference":"","amount":{"currency":"KES","paid":0},"allocations":[{"claim_id":"clm_","paid_amount":0,"reason_codes":[]}],"received_at":"2026-01-01T00:00:00.000Z","reconciled_at":null}',
    '{"id":"stl_","object":"settlement","remittance_id":"rem_","source_reference":"","amount":{"currency":"KES","observed":0},"allocations":[{"amount":0,"claim_id":"clm_"}],"status":"matched","observed_at":"2026-01-01T00:00:00.000Z","recorded_at":"2026-01-01T00:00:00.000Z"}',
    '{"id":"ses_","object":"session","practitioner_id":"prc_","starts_at":"2026-01-01T00:00:00.000Z","ends_at":"2026-01-01T00:00:00.000Z","timezone":"Africa/Nairobi","format":"online","status":"delivered","payment_source":"covered"}',
    '{"id":"bkg_","object":"booking","session_id":"ses_","practitioner_id":"prc_","starts_at":"2026-01-01T00:00:00.000Z","ends_at":"2026-01-01T00:00:00.000Z","timezone":"Africa/Nairobi","format":"online","status":"reserved","payment_source":"covered"}',
    '{"id":"elig_","object":"eligibility_check","status":"eligible","reason_codes":["eligible"],"service":{"code":"","scheduled_at":"2026-01-01T00:00:00.000Z"},"amount":{"requested":0,"currency":"KES","maximum_per_session":0},"authorization_required":true,"remaining_sessions":10,"coverage_valid_until":"2026-01-01T00:00:00.000Z","checked_at":"2026-01-01T00:00:00.000Z"}',
    '{"id":"preauth_","object":"preauthorization","eligibility_check_id":"elig_","booking_id":"bkg_","status":"pending","reason_codes":[],"amount":{"requested":0,"approved":null,"currency":"KES"},"valid_until":null,"created_at":"2026-01-01T00:00:00.000Z","decision":null}',
    '{"id":"preauth_","object":"preauthorization","eligibility_check_id":"elig_","booking_id":"bkg_","status":"approved","reason_codes":[""],"amount":{"requested":0,"approved":0,"currency":"KES"},"valid_until":"2026-01-01T00:00:00.000Z","created_at":"2026-01-01T00:00:00.000Z","decision":{"id":"pad_","object":"preauthorization_decision","policy":{"version":"1","reference":""},"outcome":"approved","version":1,"decided_at":"2026-01-01T00:00:00.000Z","reason_codes":[""],"authority_reference":"project:prj_/key:key_","evidence_references":["","elig_","bkg_","cobs_"]}}',
    '{"id":"clm_","object":"claim","status":"queried","provider_claim_reference":"","submission_version":1,"amount":{"currency":"KES","billed":0,"approved":null,"remitted":null,"settled":null},"service_period":{"starts_at":"2026-01-01T00:00:00.000Z","ends_at":"2026-01-01T00:00:00.000Z"},"lines":[{"line_number":1,"code_system":"CPT","code_system_version":null,"service_code":"","units":1,"amount":0}],"information_requests":[{"id":"cir_","object":"claim_information_request","reason_code":"","requested_evidence_types":[""],"status":"open","due_at":null,"created_at":"2026-01-01T00:00:00.000Z","resolved_at":null}],"adjudication":null,"submitted_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"}',
    '{"id":"clm_","object":"claim","status":"partially_approved","provider_claim_reference":"","submission_version":2,"amount":{"currency":"KES","billed":0,"approved":0,"remitted":null,"settled":null},"service_period":{"starts_at":"2026-01-01T00:00:00.000Z","ends_at":"2026-01-01T00:00:00.000Z"},"lines":[{"line_number":1,"code_system":"CPT","code_system_version":null,"service_code":"","units":1,"amount":0},{"line_number":2,"code_system":"CPT","code_system_version":null,"service_code":"","units":1,"amount":0}],"information_requests":[],"adjudication":{"id":"adj_","object":"claim_adjudication","version":1,"decision":"partially_approved","amount":{"currency":"KES","billed":0,"payer":0,"patient_responsibility":0,"adjustment":0},"reason_codes":[""],"policy":{"reference":"","version":"1"},"lines":[{"line_number":1,"amount":{"billed":0,"allowed":0,"payer":0,"patient_responsibility":0,"adjustment":0},"reason_codes":[""]},{"line_number":2,"amount":{"billed":0,"allowed":0,"payer":0,"patient_responsibility":0,"adjustment":0},"reason_codes":[""]}],"decided_at":"2026-01-01T00:00:00.000Z"},"submitted_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"}',
  ],
].map((parts) => Buffer.from(parts.join('')));

const CURRENT = DICTIONARIES.length - 1;

function dictionaryOf(version: number | undefined): Buffer {
  const dictionary = version === undefined ? undefined : DICTIONARIES[version];
  if (dictionary === undefined)
    throw new Error(`this release does not have dictionary ${version} of responses`);
  return dictionary;
}

/** Returns the stored form of a response's JSON. */
export function encodeResponse(text: string): Buffer {
  return Buffer.concat([
    Buffer.from([CURRENT]),
    deflateRawSync(text, { dictionary: dictionaryOf(CURRENT), level: 6 }),
  ]);
}

/**
 * Returns a response's JSON, byte for byte.
 *
 * @example const body = JSON.parse(decodeResponse(row.response));
 */
export function decodeResponse(stored: Buffer): string {
  return inflateRawSync(stored.subarray(1), { dictionary: dictionaryOf(stored[0]) }).toString();
}
