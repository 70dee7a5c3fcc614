import { storedTenant } from '@carecover/domain';
import { ExhaustedCredentials } from './exhausted-credentials';
import type { Admission } from './store/admissions';

const MINUTE_MS = Date.parse('2027-02-20T09:00:00Z');

function admissionAt(msOfMinute: number, used: number): Admission {
  return {
    tenant: storedTenant('prj_1'),
    environment: 'sandbox',
    consentDefault: 'granted',
    agentWrites: 'off',
    allowedOrigins: [],
    keyId: 'key_1',
    keyGeneration: 1,
    tokenId: null,
    scopes: ['*'],
    resourceIds: null,
    endpointLimit: 50,
    currencies: null,
    rateLimit: 10,
    used,
    countedAt: new Date(MINUTE_MS + msOfMinute),
  };
}

let nowMs = 0;
beforeEach(() => {
  nowMs = 5_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => jest.restoreAllMocks());

test('a verdict is kept for a second, with the time that has passed since', () => {
  const credentials = new ExhaustedCredentials();
  credentials.keep('one', admissionAt(20_000, 11), nowMs);
  nowMs += 999;
  expect(credentials.find('one')?.countedAt).toEqual(new Date(MINUTE_MS + 20_999));
  expect(credentials.find('other')).toBeUndefined();
  nowMs += 1;
  expect(credentials.find('one')).toBeUndefined();
});

test('a verdict is not kept for the next minute', () => {
  const credentials = new ExhaustedCredentials();
  credentials.keep('one', admissionAt(59_900, 11), nowMs);
  nowMs += 99;
  expect(credentials.find('one')).toBeDefined();
  nowMs += 1;
  expect(credentials.find('one')).toBeUndefined();
});

test('a credential within the limit is looked up for each request', () => {
  const credentials = new ExhaustedCredentials();
  credentials.keep('one', admissionAt(20_000, 10), nowMs);
  expect(credentials.find('one')).toBeUndefined();
});

test('the memory for verdicts is bounded', () => {
  const credentials = new ExhaustedCredentials();
  for (let count = 0; count < 30_000; count++) credentials.keep(String(count), admissionAt(0, 11), nowMs);
  expect([credentials.find('0'), credentials.find('29999')?.used]).toEqual([undefined, 11]);
});
