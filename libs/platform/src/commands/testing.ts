/** For suites: writes under keys of their own. */
import { type Caller, storedTenant } from '../tenant';
import type { SentCommand } from './carry-out';
import type { WriteRequest } from './row';

export const caller: Caller = {
  tenant: storedTenant('prj_one'),
  environment: 'sandbox',
  authority: 'key_one of prj_one',
  requestId: '00000000-0000-4000-8000-000000000000',
  resourceIds: null,
  consentDefault: 'granted',
};

let keys = 0;

export function newWrite(overrides: Partial<WriteRequest> = {}): WriteRequest {
  keys += 1;
  return {
    operation: 'createBooking',
    caller,
    idempotencyKey: `key-number-${keys}`,
    requestHash: Buffer.from('hash'),
    ...overrides,
  };
}

/** What one of them asks of a workflow, which is `send`. */
export const errand = (send: (command: SentCommand) => Promise<void>) => ({
  resourceId: 'clm_1',
  body: { lines: [] },
  replayStatus: 200,
  send,
});
