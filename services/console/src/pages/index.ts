/** All pages and acts of the console, in the order of the menu. */
import type { Act, Page } from '../page';
import { auditLog } from './audit-log';
import { adjudicate, adjudicatePage, claim, requestInformation, reverse } from './claim';
import { claims } from './claims';
import { createKey, key, keys, revokeKey, rotateKey } from './keys';
import { changeSettings, settings } from './settings';
import { search, today } from './today';
import { recover, redeliver, testEndpoint, webhookDelivery, webhookEndpoint, webhooks } from './webhooks';

export const PAGES: readonly Page[] = [
  today,
  search,
  claims,
  claim,
  adjudicatePage,
  webhooks,
  webhookEndpoint,
  webhookDelivery,
  settings,
  keys,
  key,
  auditLog,
];

export const ACTS: readonly Act[] = [
  adjudicate,
  requestInformation,
  reverse,
  testEndpoint,
  recover,
  redeliver,
  changeSettings,
  createKey,
  rotateKey,
  revokeKey,
];
