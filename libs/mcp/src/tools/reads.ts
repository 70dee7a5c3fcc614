/** The tools that are one operation each. Their descriptions are for a model that has never seen the product. */
import { type DirectTool, readTool } from './definition';

const NEWEST_FIRST =
  'Newest first; with order asc, oldest first. If has_more is true, call again with starting_after set to the id of the last item.';

/** The fields of a resource in a list. The tool that reads one resource returns all fields. */
export const CLAIM_FIELDS = [
  'id',
  'status',
  'provider_claim_reference',
  'amount',
  'service_period',
  'submitted_at',
  'updated_at',
] as const;
export const REMITTANCE_FIELDS = [
  'id',
  'status',
  'payer_reference',
  'amount',
  'received_at',
  'reconciled_at',
] as const;
export const PREAUTHORIZATION_FIELDS = [
  'id',
  'status',
  'booking_id',
  'eligibility_check_id',
  'amount',
  'reason_codes',
  'valid_until',
  'decision',
  'created_at',
] as const;
export const RUN_FIELDS = [
  'id',
  'status',
  'progress',
  'kind',
  'valuation_at',
  'effective_through',
  'group_by',
  'claims_counted',
  'failure',
  'created_at',
] as const;

const listClaims = readTool('listClaims', 'list_claims', {
  description: `Finds claims: by status, by the provider's own reference (provider_claim_reference, exact), by practitioner, session, pre-authorization, or time of submission. A claim is a provider's request that a payer pays for a delivered session. Use it to get a claim's id (clm_…) from a reference, or to see which claims have a status. To find claims whose information request is due soon, use due_before. ${NEWEST_FIRST} There is no total count; for sums over all claims use get_receivables or start_valuation_run.`,
  fields: CLAIM_FIELDS,
});

const getClaim = readTool('getClaim', 'get_claim', {
  description:
    "Reads one claim as it is now, by its id (clm_…): status, lines, amounts, the payer's questions (information_requests, with deadlines) and the adjudication, which says per line what is allowed, what the payer and the patient pay, and the reason codes. Use it to explain why a claim was denied, or approved in part, or what a queried claim waits for. It has no reference of the patient. For the state at a past time use value_claim; for the remittances and settlements use get_claim_links.",
  isOpaque: true,
});

const getClaimLinks = readTool('getClaimLinks', 'get_claim_links', {
  description:
    'Reads what a claim (clm_…) is connected with: session, booking, practitioner, eligibility check, pre-authorization, and each remittance and settlement with the amount that belongs to this claim. Use it to follow the money of a claim, or to get from a claim to its remittance (rem_…).',
});

const valueClaim = readTool('getClaimValuation', 'value_claim', {
  description:
    'Values one claim at a cutoff (valuation_at): its status, its amounts, and the facts that were known by then. A fact counts only if it had taken effect (effective_at) and had been recorded (recorded_at) at or before the cutoff, so a payment that was recorded late is not in an earlier valuation. The answer for a past cutoff never changes. Use it for "what did we know about this claim on that day" and for the history of a claim (cutoff: now). outstanding is what the payer still owes; null means that there is no adjudication. A claim that was created after the cutoff is not found.',
  isOpaque: true,
  app: 'claim-slider',
});

const getReceivables = readTool('getReceivables', 'get_receivables', {
  description:
    'Returns what payers owe at an instant (at), over all claims: the total per currency, by age since submission (0 to 30, 31 to 60, 61 to 90, over 90 days), by practitioner and by payer. Use it for "how much is outstanding", "how old are our receivables", "which payer owes most". It counts claims with an adjudication; claims that wait for a decision owe nothing yet. For other groups or a development triangle use start_valuation_run.',
  isOpaque: true,
});

const listValuationRuns = readTool('listValuationRuns', 'list_valuation_runs', {
  description: `Lists valuation runs, without their groups and triangles. A run sums the valuations of all claims at a cutoff. Use it to find a run that was started earlier. ${NEWEST_FIRST}`,
  fields: RUN_FIELDS,
  isOmittedFirst: true,
});

const listRemittances = readTool('listRemittances', 'list_remittances', {
  description: `Finds remittances: by status, by the payer's reference (payer_reference, exact), or by the claim that they pay. A remittance is the payer's advice of what it pays for which claims; it says nothing about whether the money arrived (that is a settlement). received: waits for funds; reconciled: the settlements equal the total; exception: they exceed it, have another currency, or are late. Use status=exception to find what finance has to clear. ${NEWEST_FIRST}`,
  fields: REMITTANCE_FIELDS,
});

const getRemittance = readTool('getRemittance', 'get_remittance', {
  description:
    'Reads one remittance by its id (rem_…): status, total, and its allocations, which are the parts for each claim. To learn why it is or is not reconciled, and what to do, use explain_remittance instead.',
});

const explainRemittance = readTool('getRemittanceReconciliation', 'explain_remittance', {
  description:
    'Explains why a remittance (rem_…) is reconciled, in exception or still waiting: what was expected, what settlements observed, the difference, the deadline, the reason, every settlement, and the steps that would reconcile it (next_steps). Use it for "why is this remittance in exception" and "what is missing". It changes nothing: next_steps are for a person.',
});

const getSettlement = readTool('getSettlement', 'get_settlement', {
  description:
    'Reads one settlement by its id (stl_…): evidence that money moved, such as a bank statement entry (source_reference), with its remittance, its amount, the parts for each claim, and its status: matched, unmatched or reversed. Get ids from explain_remittance or get_claim_links.',
  isOmittedFirst: true,
});

const listPreauthorizations = readTool('listPreauthorizations', 'list_preauthorizations', {
  description: `Finds pre-authorizations, by status or booking. A pre-authorization asks the payer to approve one session before it takes place. pending: waits for the payer's decision. Each has its decision with the reasons. ${NEWEST_FIRST}`,
  fields: PREAUTHORIZATION_FIELDS,
});

const getPreauthorization = readTool('getPreauthorization', 'get_preauthorization', {
  description:
    'Reads one pre-authorization by its id (preauth_…): status, requested and approved amount, until when it is valid, and the decision with its reasons and its policy. Use it to explain why a pre-authorization was denied or expired.',
  isOmittedFirst: true,
});

const getBooking = readTool('getBooking', 'get_booking', {
  description:
    'Reads one booking by its id (bkg_…): practitioner, start and end in UTC, the time zone of the practitioner, status, and whether the person (self_pay) or a payer (covered) pays. It does not say who is treated. Get ids from get_claim_links or get_preauthorization.',
  isOmittedFirst: true,
});

const listPractitioners = readTool('listPractitioners', 'list_practitioners', {
  description:
    'Lists the practitioners who can be booked, with profession, place and fee per session. Use it to get the id of a practitioner (prc_…), which claims, receivables and find_slots use. If has_more is true, call again with starting_after set to the id of the last item.',
  isOmittedFirst: true,
});

const findSlots = readTool('listPractitionerSlots', 'find_slots', {
  description:
    'Finds free times of one practitioner (prc_…, from list_practitioners) that can be booked, earliest first. from and to are instants, at most 31 days apart. Times are in UTC; timezone is that of the practitioner. A returned time is not reserved.',
  isOmittedFirst: true,
});

export const reads: readonly DirectTool[] = [
  listClaims,
  getClaim,
  getClaimLinks,
  valueClaim,
  getReceivables,
  listValuationRuns,
  listRemittances,
  getRemittance,
  explainRemittance,
  getSettlement,
  listPreauthorizations,
  getPreauthorization,
  getBooking,
  listPractitioners,
  findSlots,
];
