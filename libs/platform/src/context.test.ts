import { signContext, verifyContext } from './context';
import { type Caller, storedTenant } from './tenant';

const secrets = ['a secret of more than thirty-two characters'] as const;
const otherSecrets = ['another secret of more than thirty-two characters'] as const;
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
  const header = signContext(caller, secrets, 1_000);
  expect(verifyContext(header, caller.requestId, secrets, 61_000)).toEqual(caller);
  expect(verifyContext(header, caller.requestId, secrets, 61_001)).toBeNull();
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['one without signature', signContext(caller, secrets, 1_000).split('.').slice(0, 2).join('.')],
  ['one without key id', signContext(caller, secrets, 1_000).split('.').slice(1).join('.')],
  ['one signed with another secret', signContext(caller, otherSecrets, 1_000)],
  ['one with a fourth part', `${signContext(caller, secrets, 1_000)}.more`],
])('%s is rejected', (_name, header) => {
  expect(verifyContext(header, caller.requestId, secrets, 2_000)).toBeNull();
});

test('a changed caller is rejected', () => {
  const [keyId, payload = '', signature] = signContext(caller, secrets, 1_000).split('.');
  const other = JSON.stringify({
    ...JSON.parse(Buffer.from(payload, 'base64url').toString()),
    tenant: 'prj_two',
  });
  const header = `${keyId}.${Buffer.from(other).toString('base64url')}.${signature}`;
  expect(verifyContext(header, caller.requestId, secrets, 2_000)).toBeNull();
});

test("a context with another secret's key id is rejected", () => {
  const [keyId] = signContext(caller, otherSecrets, 1_000).split('.');
  const [, ...signed] = signContext(caller, secrets, 1_000).split('.');
  const header = [keyId, ...signed].join('.');
  expect(verifyContext(header, caller.requestId, [...secrets, ...otherSecrets], 2_000)).toBeNull();
});

test('a rotation in three steps rejects no context, and ends with the old secret rejected', () => {
  const [[old], [replacement]] = [secrets, otherSecrets];
  // In each step of a secret's rotation, some processes still use the secrets of the previous step.
  const steps = [[old], [old, replacement], [replacement, old], [replacement]] as const;
  for (const [index, step] of steps.entries()) {
    const previous = steps[index - 1] ?? step;
    for (const [signing, verifying] of [
      [step, previous],
      [previous, step],
    ] as const) {
      const header = signContext(caller, signing, 300_000);
      expect([index, verifyContext(header, caller.requestId, verifying, 300_000)]).toEqual([index, caller]);
    }
  }
  const oldContext = signContext(caller, [old], 300_000);
  expect(verifyContext(oldContext, caller.requestId, [replacement, old], 300_000)).toEqual(caller);
  expect(verifyContext(oldContext, caller.requestId, [replacement], 300_000)).toBeNull();
});

test('a caller has the same context for ten seconds, whatever the request; another caller has another one', () => {
  const context = signContext(caller, secrets, 100_000);
  expect(signContext({ ...caller, requestId: 'another' }, secrets, 109_999)).toBe(context);
  expect(signContext({ ...caller, resourceIds: ['bkg_1'] }, secrets, 100_000)).not.toBe(context);
  expect(signContext(caller, secrets, 110_000)).not.toBe(context);
  expect(signContext(caller, secrets, 99_999)).not.toBe(context);
});

test('a context that was verified before is valid no longer than its minute, and gives the id of each request', () => {
  const header = signContext(caller, secrets, 200_000);
  expect(verifyContext(header, 'first', secrets, 200_000)).toEqual({ ...caller, requestId: 'first' });
  expect(verifyContext(header, 'second', secrets, 260_000)).toEqual({ ...caller, requestId: 'second' });
  expect(verifyContext(header, 'third', secrets, 260_001)).toBeNull();
  expect(verifyContext(header, 'fourth', otherSecrets, 200_000)).toBeNull();
});
