/** The public exports of `@carecover/client`. */
export { Carecover } from './carecover.ts';
export * from './errors.ts';
export type * from './generated/types.ts';
export { List, type Page } from './pagination.ts';
export type { ApiMethods, TestHelpersMethods, TokensMethods } from './resources/access.ts';
export type {
  BulkJobInput,
  BulkJobQuery,
  BulkJobResultQuery,
  BulkJobsMethods,
} from './resources/bulk-jobs.ts';
export type {
  BookingQuery,
  BookingsMethods,
  PractitionersMethods,
  SessionQuery,
  SessionsMethods,
  SlotBooking,
  SlotsQuery,
} from './resources/care.ts';
export type {
  ClaimQuery,
  ClaimsMethods,
  ClaimValuationQuery,
  ReceivablesMethods,
  ReceivablesQuery,
  ValuationRunQuery,
  ValuationRunsMethods,
} from './resources/claims.ts';
export type {
  ConsentsMethods,
  CoveragesMethods,
  EligibilityChecksMethods,
  PreauthorizationQuery,
  PreauthorizationsMethods,
} from './resources/cover.ts';
export type {
  PaymentAdviceQuery,
  PaymentAdvicesMethods,
  RemittanceQuery,
  RemittancesMethods,
  SettlementQuery,
  SettlementsMethods,
} from './resources/payments.ts';
export type { CreatedQuery, PageQuery, StatusQuery } from './resources/queries.ts';
export type { AdvanceOptions, TestClockMethods, TestClocksMethods } from './resources/test-clocks.ts';
export type { EventQuery, EventsMethods, WebhookEndpointsMethods } from './resources/webhooks.ts';
export type { CallOptions, ClientOptions, UploadedFile } from './transport.ts';
export { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts';
