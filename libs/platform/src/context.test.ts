import { signContext, verifyContext } from './context';
import { type Caller, storedTenant } from './tenant';

const secret = 'a secret of more than thirty-two characters';
const caller: Caller = {
  tenant: storedTenant('prj_one'),
  environment: 'sandbox',
  authority: 'key_one of prj_one',
  requestId: '4a2f0e9c-0000-4000-8000-000000000000',
  resourceIds: null,
  consentDefault: 'granted',
  endpointLimit: 50,
};

test('a signed context returns its caller for one minute', () => {
  const header = signContext(caller, secret, 1_000);
  expect(verifyContext(header, caller.requestId, secret, 61_000)).toEqual(caller);
  expect(verifyContext(header, caller.requestId, secret, 61_001)).toBeNull();
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['one without signature', signContext(caller, secret, 1_000).split('.')[0]],
  ['one signed with another secret', signContext(caller, `${secret}!`, 1_000)],
  ['one with a third part', `${signContext(caller, secret, 1_000)}.more`],
])('%s is rejected', (_name, header) => {
  expect(verifyContext(header, caller.requestId, secret, 2_000)).toBeNull();
});

test('a changed caller is rejected', () => {
  const [payload = '', signature] = signContext(caller, secret, 1_000).split('.');
  const other = JSON.stringify({
    ...JSON.parse(Buffer.from(payload, 'base64url').toString()),
    tenant: 'prj_two',
  });
  expect(
    verifyContext(
      `${Buffer.from(other).toString('base64url')}.${signature}`,
      caller.requestId,
      secret,
      2_000,
    ),
  ).toBeNull();
});

test('a caller has the same context for ten seconds, whatever the request; another caller has another one', () => {
  const context = signContext(caller, secret, 100_000);
  expect(signContext({ ...caller, requestId: 'another' }, secret, 109_999)).toBe(context);
  expect(signContext({ ...caller, resourceIds: ['bkg_1'] }, secret, 100_000)).not.toBe(context);
  expect(signContext(caller, secret, 110_000)).not.toBe(context);
  expect(signContext(caller, secret, 99_999)).not.toBe(context);
});

test('a context that was verified before is valid no longer than its minute, and gives the id of each request', () => {
  const header = signContext(caller, secret, 200_000);
  expect(verifyContext(header, 'first', secret, 200_000)).toEqual({ ...caller, requestId: 'first' });
  expect(verifyContext(header, 'second', secret, 260_000)).toEqual({ ...caller, requestId: 'second' });
  expect(verifyContext(header, 'third', secret, 260_001)).toBeNull();
  expect(verifyContext(header, 'fourth', `${secret}!`, 200_000)).toBeNull();
});
