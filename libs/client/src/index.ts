/** `@carecover/client`: the API of Carecover for TypeScript and JavaScript. */
export { Carecover } from './carecover';
export * from './errors';
export type * from './generated/types';
export { List, type Page } from './pagination';
export type { CreatedQuery, PageQuery, StatusQuery } from './resources/queries';
export type { EventQuery } from './resources/webhooks';
export type { CallOptions, ClientOptions } from './transport';
export { verifyWebhook, WebhookVerificationError } from './webhooks';
