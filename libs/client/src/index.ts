/** The public exports of `@carecover/client`. */
export { Carecover } from './carecover.ts';
export * from './errors.ts';
export type * from './generated/types.ts';
export { List, type Page } from './pagination.ts';
export type { BulkJobInput, BulkJobQuery, BulkJobResultQuery } from './resources/bulk-jobs.ts';
export type { BookingQuery, SessionQuery, SlotsQuery } from './resources/care.ts';
export type {
  ClaimQuery,
  ClaimValuationQuery,
  ReceivablesQuery,
  ValuationRunQuery,
} from './resources/claims.ts';
export type { PreauthorizationQuery } from './resources/cover.ts';
export type { RemittanceQuery, SettlementQuery } from './resources/payments.ts';
export type { CreatedQuery, PageQuery, StatusQuery } from './resources/queries.ts';
export type { EventQuery } from './resources/webhooks.ts';
export type { CallOptions, ClientOptions, UploadedFile } from './transport.ts';
export { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts';
