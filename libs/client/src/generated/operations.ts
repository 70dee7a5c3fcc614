/** Generated from the contract; do not edit. */

import type {
  AdjudicationInput,
  Api,
  Availability,
  Booking,
  BookingInput,
  BookingList,
  BulkJob,
  BulkJobList,
  BulkJobResultList,
  CancellationInput,
  Claim,
  ClaimInput,
  ClaimLinks,
  ClaimList,
  ClaimValuation,
  Consent,
  ConsentInput,
  CoverageBatchInput,
  CoverageBatchResult,
  CoverageInput,
  CoverageObservation,
  CreatedWebhookEndpoint,
  EligibilityCheck,
  EligibilityCheckInput,
  Event,
  EventList,
  EvidenceInput,
  InformationRequestInput,
  PayerBalances,
  PaymentAdvice,
  PaymentAdviceInput,
  PaymentAdviceList,
  Practitioner,
  PractitionerList,
  Preauthorization,
  PreauthorizationDecisionInput,
  PreauthorizationInput,
  PreauthorizationList,
  Receivables,
  Remittance,
  RemittanceInput,
  RemittanceList,
  RemittanceReconciliation,
  ReversalInput,
  Session,
  SessionInput,
  SessionList,
  Settlement,
  SettlementInput,
  SettlementList,
  SimulatedProject,
  SlotList,
  TestClock,
  TestClockAdvanceInput,
  TestClockInput,
  Token,
  TokenInput,
  ValuationRun,
  ValuationRunClaimList,
  ValuationRunInput,
  ValuationRunSummaryList,
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
  /** Whether the client sends an Idempotency-Key. */
  readonly idempotent: boolean;
  /** A status above 399 whose body is no API error: the delivery of a test event that the receiver did not accept. */
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
  listPractitionerSlots: { method: 'GET', path: '/practitioners/{practitioner_id}/slots', idempotent: false },
  listBookings: { method: 'GET', path: '/bookings', idempotent: false },
  createBooking: { method: 'POST', path: '/bookings', idempotent: true },
  getBooking: { method: 'GET', path: '/bookings/{booking_id}', idempotent: false },
  cancelBooking: { method: 'POST', path: '/bookings/{booking_id}/cancellations', idempotent: true },
  listSessions: { method: 'GET', path: '/sessions', idempotent: false },
  createSession: { method: 'POST', path: '/sessions', idempotent: true },
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
  getClaimLinks: { method: 'GET', path: '/claims/{claim_id}/links', idempotent: false },
  getClaimValuation: { method: 'GET', path: '/claims/{claim_id}/valuation', idempotent: false },
  getReceivables: { method: 'GET', path: '/receivables', idempotent: false },
  listValuationRuns: { method: 'GET', path: '/valuation_runs', idempotent: false },
  createValuationRun: { method: 'POST', path: '/valuation_runs', idempotent: true },
  getValuationRun: { method: 'GET', path: '/valuation_runs/{valuation_run_id}', idempotent: false },
  listValuationRunClaims: {
    method: 'GET',
    path: '/valuation_runs/{valuation_run_id}/claims',
    idempotent: false,
  },
  requestClaimInformation: {
    method: 'POST',
    path: '/claims/{claim_id}/information_requests',
    idempotent: true,
  },
  submitClaimEvidence: { method: 'POST', path: '/claims/{claim_id}/evidence', idempotent: true },
  adjudicateClaim: { method: 'POST', path: '/claims/{claim_id}/adjudications', idempotent: true },
  cancelClaim: { method: 'POST', path: '/claims/{claim_id}/cancellations', idempotent: true },
  reverseClaim: { method: 'POST', path: '/claims/{claim_id}/reversals', idempotent: true },
  listBulkJobs: { method: 'GET', path: '/bulk_jobs', idempotent: false },
  createBulkJob: { method: 'POST', path: '/bulk_jobs', idempotent: true },
  getBulkJob: { method: 'GET', path: '/bulk_jobs/{bulk_job_id}', idempotent: false },
  listBulkJobResults: { method: 'GET', path: '/bulk_jobs/{bulk_job_id}/results', idempotent: false },
  pauseBulkJob: { method: 'POST', path: '/bulk_jobs/{bulk_job_id}/pauses', idempotent: true },
  continueBulkJob: { method: 'POST', path: '/bulk_jobs/{bulk_job_id}/continuations', idempotent: true },
  cancelBulkJob: { method: 'POST', path: '/bulk_jobs/{bulk_job_id}/cancellations', idempotent: true },
  listRemittances: { method: 'GET', path: '/remittances', idempotent: false },
  createRemittance: { method: 'POST', path: '/remittances', idempotent: true },
  getRemittance: { method: 'GET', path: '/remittances/{remittance_id}', idempotent: false },
  getRemittanceReconciliation: {
    method: 'GET',
    path: '/remittances/{remittance_id}/reconciliation',
    idempotent: false,
  },
  listPaymentAdvices: { method: 'GET', path: '/payment_advices', idempotent: false },
  createPaymentAdvice: { method: 'POST', path: '/payment_advices', idempotent: true },
  getPaymentAdvice: { method: 'GET', path: '/payment_advices/{payment_advice_id}', idempotent: false },
  withdrawPaymentAdvice: {
    method: 'POST',
    path: '/payment_advices/{payment_advice_id}/withdrawals',
    idempotent: true,
  },
  replacePaymentAdvice: {
    method: 'POST',
    path: '/payment_advices/{payment_advice_id}/replacements',
    idempotent: true,
  },
  getPayerBalances: { method: 'GET', path: '/payer_balances', idempotent: false },
  listSettlements: { method: 'GET', path: '/settlements', idempotent: false },
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
  createTestClock: { method: 'POST', path: '/test_clocks', idempotent: false },
  getTestClock: { method: 'GET', path: '/test_clock', idempotent: false },
  advanceTestClock: { method: 'POST', path: '/test_clock/advance', idempotent: true },
} as const satisfies Record<string, OperationCall>;

export type OperationId = keyof typeof operations;

/** The types of each operation's request body and successful response body. */
export interface OperationTypes {
  getApi: { body: undefined; response: Api };
  createToken: { body: TokenInput; response: Token };
  listPractitioners: { body: undefined; response: PractitionerList };
  getPractitioner: { body: undefined; response: Practitioner };
  getPractitionerAvailability: { body: undefined; response: Availability };
  listPractitionerSlots: { body: undefined; response: SlotList };
  listBookings: { body: undefined; response: BookingList };
  createBooking: { body: BookingInput; response: Booking };
  getBooking: { body: undefined; response: Booking };
  cancelBooking: { body: CancellationInput; response: Booking };
  listSessions: { body: undefined; response: SessionList };
  createSession: { body: SessionInput; response: Session };
  getSession: { body: undefined; response: Session };
  deliverSession: { body: undefined; response: Session };
  createCoverage: { body: CoverageInput; response: CoverageObservation };
  createCoverageBatch: { body: CoverageBatchInput; response: CoverageBatchResult };
  getCoverage: { body: undefined; response: CoverageObservation };
  createEligibilityCheck: { body: EligibilityCheckInput; response: EligibilityCheck };
  getEligibilityCheck: { body: undefined; response: EligibilityCheck };
  listPreauthorizations: { body: undefined; response: PreauthorizationList };
  createPreauthorization: { body: PreauthorizationInput; response: Preauthorization };
  getPreauthorization: { body: undefined; response: Preauthorization };
  decidePreauthorization: { body: PreauthorizationDecisionInput; response: Preauthorization };
  cancelPreauthorization: { body: CancellationInput; response: Preauthorization };
  expirePreauthorization: { body: undefined; response: Preauthorization };
  recordConsent: { body: ConsentInput; response: Consent };
  getConsent: { body: undefined; response: Consent };
  listClaims: { body: undefined; response: ClaimList };
  createClaim: { body: ClaimInput; response: Claim };
  getClaim: { body: undefined; response: Claim };
  getClaimLinks: { body: undefined; response: ClaimLinks };
  getClaimValuation: { body: undefined; response: ClaimValuation };
  getReceivables: { body: undefined; response: Receivables };
  listValuationRuns: { body: undefined; response: ValuationRunSummaryList };
  createValuationRun: { body: ValuationRunInput; response: ValuationRun };
  getValuationRun: { body: undefined; response: ValuationRun };
  listValuationRunClaims: { body: undefined; response: ValuationRunClaimList };
  requestClaimInformation: { body: InformationRequestInput; response: Claim };
  submitClaimEvidence: { body: EvidenceInput; response: Claim };
  adjudicateClaim: { body: AdjudicationInput; response: Claim };
  cancelClaim: { body: CancellationInput; response: Claim };
  reverseClaim: { body: ReversalInput; response: Claim };
  listBulkJobs: { body: undefined; response: BulkJobList };
  createBulkJob: { body: undefined; response: BulkJob };
  getBulkJob: { body: undefined; response: BulkJob };
  listBulkJobResults: { body: undefined; response: BulkJobResultList };
  pauseBulkJob: { body: undefined; response: BulkJob };
  continueBulkJob: { body: undefined; response: BulkJob };
  cancelBulkJob: { body: undefined; response: BulkJob };
  listRemittances: { body: undefined; response: RemittanceList };
  createRemittance: { body: RemittanceInput; response: Remittance };
  getRemittance: { body: undefined; response: Remittance };
  getRemittanceReconciliation: { body: undefined; response: RemittanceReconciliation };
  listPaymentAdvices: { body: undefined; response: PaymentAdviceList };
  createPaymentAdvice: { body: PaymentAdviceInput; response: PaymentAdvice };
  getPaymentAdvice: { body: undefined; response: PaymentAdvice };
  withdrawPaymentAdvice: { body: ReversalInput; response: PaymentAdvice };
  replacePaymentAdvice: { body: PaymentAdviceInput; response: PaymentAdvice };
  getPayerBalances: { body: undefined; response: PayerBalances };
  listSettlements: { body: undefined; response: SettlementList };
  createSettlement: { body: SettlementInput; response: Settlement };
  getSettlement: { body: undefined; response: Settlement };
  reverseSettlement: { body: ReversalInput; response: Settlement };
  listWebhookEndpoints: { body: undefined; response: WebhookEndpointList };
  createWebhookEndpoint: { body: WebhookEndpointInput; response: CreatedWebhookEndpoint };
  getWebhookEndpoint: { body: undefined; response: WebhookEndpoint };
  updateWebhookEndpoint: { body: WebhookEndpointUpdate; response: WebhookEndpoint };
  disableWebhookEndpoint: { body: undefined; response: WebhookEndpoint };
  testWebhookEndpoint: { body: undefined; response: WebhookDelivery };
  rotateWebhookSecret: { body: undefined; response: WebhookEndpointWithSecret };
  listWebhookDeliveries: { body: undefined; response: WebhookDeliveryRecordList };
  redeliverEvent: { body: undefined; response: WebhookDelivery };
  recoverWebhookEndpoint: { body: WebhookRecoveryInput; response: WebhookRecovery };
  listEvents: { body: undefined; response: EventList };
  getEvent: { body: undefined; response: Event };
  createTestClock: { body: TestClockInput; response: SimulatedProject };
  getTestClock: { body: undefined; response: TestClock };
  advanceTestClock: { body: TestClockAdvanceInput; response: TestClock };
}
