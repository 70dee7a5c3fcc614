/** Helpers of the commands' tests: a database, and write requests with unique idempotency keys. */

import type { CommandWithSteps, WriteRequest } from '@carecover/commands';
import { WILDCARD_SCOPE } from '@carecover/contract';
import type { Command } from '@carecover/domain';
import { type Caller, storedTenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '../servers';

export const caller: Caller = {
  tenant: storedTenant('prj_one'),
  environment: 'sandbox',
  authority: 'key_one of prj_one',
  requestId: '00000000-0000-4000-8000-000000000000',
  scopes: [WILDCARD_SCOPE],
  resourceIds: null,
  consentDefault: 'granted',
  endpointLimit: 50,
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

/** Makes a command whose steps the given function executes. Its response is read from its row. */
export const commandWithSteps = (steps: (command: Command) => Promise<unknown>): CommandWithSteps => ({
  resourceId: 'clm_1',
  body: { lines: [] },
  replayStatus: 200,
  execute: async (command) => {
    await steps(command);
    return null;
  },
});

/** Registers jest hooks that create a database for the suite and drop it. `sql` is available in tests and later hooks. */
export function useSql(): { readonly sql: Sql } {
  let opened: { database: TestDatabase; sql: Sql } | undefined;
  beforeAll(async () => {
    const database = await createTestDatabase({ services: ['care'] });
    opened = { database, sql: connectPostgres(database.url('care'), 20, 'test') };
  });
  afterAll(async () => {
    await opened?.sql.end();
    await opened?.database.drop();
  });
  return {
    get sql() {
      if (opened === undefined) throw new Error('the suite has not started');
      return opened.sql;
    },
  };
}
