/** Generated from the contract; do not edit. */

import type {
  AdjudicationInput,
  Api,
  Availability,
  Booking,
  BookingInput,
  BookingList,
  CancellationInput,
  Claim,
  ClaimInput,
  ClaimList,
  ClaimValuation,
  Consent,
  ConsentInput,
  CoverageBatchInput,
  CoverageBatchResult,
  CoverageInput,
  CoverageObservation,
  EligibilityCheck,
  EligibilityCheckInput,
  Event,
  EventList,
  EvidenceInput,
  InformationRequestInput,
  Practitioner,
  PractitionerList,
  Preauthorization,
  PreauthorizationDecisionInput,
  PreauthorizationInput,
  PreauthorizationList,
  Remittance,
  RemittanceInput,
  RemittanceList,
  ReversalInput,
  Session,
  SessionList,
  Settlement,
  SettlementInput,
  Token,
  TokenInput,
  WebhookDelivery,
  WebhookDeliveryRecordList,
  WebhookEndpoint,
  WebhookEndpointInput,
  WebhookEndpointList,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
  WebhookRecovery,
  WebhookRecoveryInput,
} from './types.ts';

export interface OperationCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Whether an Idempotency-Key is sent. */
  readonly idempotent: boolean;
  /** A status above 399 whose body is no error: the delivery of a test event that nobody accepted. */
  readonly alsoSuccess?: number;
}

export const operations = {
  getApi: { method: 'GET', path: '/', idempotent: false },
  createToken: { method: 'POST', path: '/tokens', idempotent: false },
  listPractitioners: { method: 'GET', path: '/practitioners', idempotent: false },
  getPractitioner: { method: 'GET', path: '/practitioners/{practitioner_id}', idempotent: false },
  getPractitionerAvailability: {
    method: 'GET',
    path: '/practitioners/{practitioner_id}/availability',
    idempotent: false,
  },
  listBookings: { method: 'GET', path: '/bookings', idempotent: false },
  createBooking: { method: 'POST', path: '/bookings', idempotent: true },
  getBooking: { method: 'GET', path: '/bookings/{booking_id}', idempotent: false },
  cancelBooking: { method: 'POST', path: '/bookings/{booking_id}/cancellations', idempotent: true },
  listSessions: { method: 'GET', path: '/sessions', idempotent: false },
  getSession: { method: 'GET', path: '/sessions/{session_id}', idempotent: false },
  deliverSession: { method: 'POST', path: '/test_helpers/sessions/{session_id}/deliver', idempotent: true },
  createCoverage: { method: 'POST', path: '/coverages', idempotent: true },
  createCoverageBatch: { method: 'POST', path: '/coverage_batches', idempotent: true },
  getCoverage: { method: 'GET', path: '/coverages/{coverage_id}', idempotent: false },
  createEligibilityCheck: { method: 'POST', path: '/eligibility_checks', idempotent: true },
  getEligibilityCheck: {
    method: 'GET',
    path: '/eligibility_checks/{eligibility_check_id}',
    idempotent: false,
  },
  listPreauthorizations: { method: 'GET', path: '/preauthorizations', idempotent: false },
  createPreauthorization: { method: 'POST', path: '/preauthorizations', idempotent: true },
  getPreauthorization: { method: 'GET', path: '/preauthorizations/{preauthorization_id}', idempotent: false },
  decidePreauthorization: {
    method: 'POST',
    path: '/preauthorizations/{preauthorization_id}/decisions',
    idempotent: true,
  },
  cancelPreauthorization: {
    method: 'POST',
    path: '/preauthorizations/{preauthorization_id}/cancellations',
    idempotent: true,
  },
  expirePreauthorization: {
    method: 'POST',
    path: '/test_helpers/preauthorizations/{preauthorization_id}/expire',
    idempotent: true,
  },
  recordConsent: { method: 'POST', path: '/consents', idempotent: true },
  getConsent: { method: 'GET', path: '/consents/{consent_id}', idempotent: false },
  listClaims: { method: 'GET', path: '/claims', idempotent: false },
  createClaim: { method: 'POST', path: '/claims', idempotent: true },
  getClaim: { method: 'GET', path: '/claims/{claim_id}', idempotent: false },
  getClaimValuation: { method: 'GET', path: '/claims/{claim_id}/valuation', idempotent: false },
  requestClaimInformation: {
    method: 'POST',
    path: '/claims/{claim_id}/information_requests',
    idempotent: true,
  },
  submitClaimEvidence: { method: 'POST', path: '/claims/{claim_id}/evidence', idempotent: true },
  adjudicateClaim: { method: 'POST', path: '/claims/{claim_id}/adjudications', idempotent: true },
  cancelClaim: { method: 'POST', path: '/claims/{claim_id}/cancellations', idempotent: true },
  reverseClaim: { method: 'POST', path: '/claims/{claim_id}/reversals', idempotent: true },
  listRemittances: { method: 'GET', path: '/remittances', idempotent: false },
  createRemittance: { method: 'POST', path: '/remittances', idempotent: true },
  getRemittance: { method: 'GET', path: '/remittances/{remittance_id}', idempotent: false },
  createSettlement: { method: 'POST', path: '/settlements', idempotent: true },
  getSettlement: { method: 'GET', path: '/settlements/{settlement_id}', idempotent: false },
  reverseSettlement: { method: 'POST', path: '/settlements/{settlement_id}/reversals', idempotent: true },
  listWebhookEndpoints: { method: 'GET', path: '/webhook_endpoints', idempotent: false },
  createWebhookEndpoint: { method: 'POST', path: '/webhook_endpoints', idempotent: true },
  getWebhookEndpoint: { method: 'GET', path: '/webhook_endpoints/{webhook_endpoint_id}', idempotent: false },
  updateWebhookEndpoint: {
    method: 'PATCH',
    path: '/webhook_endpoints/{webhook_endpoint_id}',
    idempotent: true,
  },
  disableWebhookEndpoint: {
    method: 'DELETE',
    path: '/webhook_endpoints/{webhook_endpoint_id}',
    idempotent: true,
  },
  testWebhookEndpoint: {
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/test',
    idempotent: true,
    alsoSuccess: 502,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/rotate_secret',
    idempotent: false,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/webhook_endpoints/{webhook_endpoint_id}/deliveries',
    idempotent: false,
  },
  redeliverEvent: {
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/deliveries/{event_id}/redeliver',
    idempotent: true,
  },
  recoverWebhookEndpoint: {
    method: 'POST',
    path: '/webhook_endpoints/{webhook_endpoint_id}/recover',
    idempotent: true,
  },
  listEvents: { method: 'GET', path: '/events', idempotent: false },
  getEvent: { method: 'GET', path: '/events/{event_id}', idempotent: false },
} as const satisfies Record<string, OperationCall>;

export type OperationId = keyof typeof operations;

/** The body that each operation takes, and the body of its successful response. */
export interface OperationTypes {
  getApi: { body: undefined; answer: Api };
  createToken: { body: TokenInput; answer: Token };
  listPractitioners: { body: undefined; answer: PractitionerList };
  getPractitioner: { body: undefined; answer: Practitioner };
  getPractitionerAvailability: { body: undefined; answer: Availability };
  listBookings: { body: undefined; answer: BookingList };
  createBooking: { body: BookingInput; answer: Booking };
  getBooking: { body: undefined; answer: Booking };
  cancelBooking: { body: CancellationInput; answer: Booking };
  listSessions: { body: undefined; answer: SessionList };
  getSession: { body: undefined; answer: Session };
  deliverSession: { body: undefined; answer: Session };
  createCoverage: { body: CoverageInput; answer: CoverageObservation };
  createCoverageBatch: { body: CoverageBatchInput; answer: CoverageBatchResult };
  getCoverage: { body: undefined; answer: CoverageObservation };
  createEligibilityCheck: { body: EligibilityCheckInput; answer: EligibilityCheck };
  getEligibilityCheck: { body: undefined; answer: EligibilityCheck };
  listPreauthorizations: { body: undefined; answer: PreauthorizationList };
  createPreauthorization: { body: PreauthorizationInput; answer: Preauthorization };
  getPreauthorization: { body: undefined; answer: Preauthorization };
  decidePreauthorization: { body: PreauthorizationDecisionInput; answer: Preauthorization };
  cancelPreauthorization: { body: CancellationInput; answer: Preauthorization };
  expirePreauthorization: { body: undefined; answer: Preauthorization };
  recordConsent: { body: ConsentInput; answer: Consent };
  getConsent: { body: undefined; answer: Consent };
  listClaims: { body: undefined; answer: ClaimList };
  createClaim: { body: ClaimInput; answer: Claim };
  getClaim: { body: undefined; answer: Claim };
  getClaimValuation: { body: undefined; answer: ClaimValuation };
  requestClaimInformation: { body: InformationRequestInput; answer: Claim };
  submitClaimEvidence: { body: EvidenceInput; answer: Claim };
  adjudicateClaim: { body: AdjudicationInput; answer: Claim };
  cancelClaim: { body: CancellationInput; answer: Claim };
  reverseClaim: { body: ReversalInput; answer: Claim };
  listRemittances: { body: undefined; answer: RemittanceList };
  createRemittance: { body: RemittanceInput; answer: Remittance };
  getRemittance: { body: undefined; answer: Remittance };
  createSettlement: { body: SettlementInput; answer: Settlement };
  getSettlement: { body: undefined; answer: Settlement };
  reverseSettlement: { body: ReversalInput; answer: Settlement };
  listWebhookEndpoints: { body: undefined; answer: WebhookEndpointList };
  createWebhookEndpoint: { body: WebhookEndpointInput; answer: WebhookEndpointWithSecret | WebhookEndpoint };
  getWebhookEndpoint: { body: undefined; answer: WebhookEndpoint };
  updateWebhookEndpoint: { body: WebhookEndpointUpdate; answer: WebhookEndpoint };
  disableWebhookEndpoint: { body: undefined; answer: WebhookEndpoint };
  testWebhookEndpoint: { body: undefined; answer: WebhookDelivery };
  rotateWebhookSecret: { body: undefined; answer: WebhookEndpointWithSecret };
  listWebhookDeliveries: { body: undefined; answer: WebhookDeliveryRecordList };
  redeliverEvent: { body: undefined; answer: WebhookDelivery };
  recoverWebhookEndpoint: { body: WebhookRecoveryInput; answer: WebhookRecovery };
  listEvents: { body: undefined; answer: EventList };
  getEvent: { body: undefined; answer: Event };
}
