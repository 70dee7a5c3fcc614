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
  expect(verifyContext(header, secret, 61_000)).toEqual(caller);
  expect(verifyContext(header, secret, 61_001)).toBeNull();
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['one without signature', signContext(caller, secret, 1_000).split('.')[0]],
  ['one signed with another secret', signContext(caller, `${secret}!`, 1_000)],
  ['one with a third part', `${signContext(caller, secret, 1_000)}.more`],
])('%s is rejected', (_name, header) => {
  expect(verifyContext(header, secret, 2_000)).toBeNull();
});

test('a changed caller is rejected', () => {
  const [payload = '', signature] = signContext(caller, secret, 1_000).split('.');
  const other = JSON.stringify({
    ...JSON.parse(Buffer.from(payload, 'base64url').toString()),
    tenant: 'prj_two',
  });
  expect(verifyContext(`${Buffer.from(other).toString('base64url')}.${signature}`, secret, 2_000)).toBeNull();
});
