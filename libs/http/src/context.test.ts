import { generateKeyPairSync, sign } from 'node:crypto';
import { ConfigError, ISSUERS, type Issuer } from '@carecover/config';
import { type Caller, storedTenant } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { keysOfIssuer, signerOf, TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { operatorAuthority, projectAuthority, serviceAuthority } from './authority';
import { ContextSigner, ContextVerifier, isResponseOf, signStatement } from './context';

const tenant = storedTenant('prj_one');
const caller: Caller = {
  tenant,
  environment: 'sandbox',
  authority: projectAuthority(tenant, 'key_one', null),
  requestId: '4a2f0e9c-0000-4000-8000-000000000000',
  scopes: ['*'],
  resourceIds: null,
  consentDefault: 'granted',
  endpointLimit: 50,
};
const { requestId: _, ...identity } = caller;

let lines: Record<string, unknown>[];
let verifier: ContextVerifier;
beforeEach(() => {
  lines = [];
  verifier = newVerifier();
});

const newVerifier = (keys = TEST_ISSUER_KEYS) =>
  new ContextVerifier(
    'claims',
    keys,
    createLog('claims', 'warn', { write: (line) => void lines.push(JSON.parse(line)) }),
  );

const sign1000 = (changes: Partial<Caller> = {}) =>
  signerOf('gateway').sign({ ...caller, ...changes }, 'claims', 1_000);

/** Verifies at 2,000 ms. Returns the caller, or the reason in the log. */
function verdictOf(header: string | undefined, nowMs = 2_000): unknown {
  const verified = verifier.verify(header, caller.requestId, nowMs);
  return verified === null
    ? String(lines.at(-1)?.msg).replace('a request was rejected: its signed context ', '')
    : verified;
}

const parts = (header: string) => header.split('.') as [string, string, string];

test('a signed context returns its issuer and caller for one minute', () => {
  const header = sign1000();
  expect(verdictOf(header, 61_000)).toEqual({ issuer: 'gateway', caller });
  expect(verdictOf(header, 61_001)).toMatch(/^has expired/);
});

test.each([
  ['none', undefined, 'is missing'],
  ['an empty one', '', 'has no valid signature'],
  ['one without signature', parts(sign1000()).slice(0, 2).join('.'), 'has no valid signature'],
  ['one without issuer', parts(sign1000()).slice(1).join('.'), 'has no valid signature'],
  ['one of an unknown issuer', `webhooks.${parts(sign1000()).slice(1).join('.')}`, 'has no valid signature'],
  ['one of the prototype', `constructor.${parts(sign1000()).slice(1).join('.')}`, 'has no valid signature'],
  ['one with a fourth part', `${sign1000()}.more`, 'has no valid signature'],
  ['one that is cut', sign1000().slice(0, -4), 'has no valid signature'],
  ['one for another service', signerOf('gateway').sign(caller, 'payments', 1_000), 'is for another service'],
])('%s is rejected, and the log names the reason', (_name, header, reason) => {
  expect(verdictOf(header)).toBe(reason);
});

test('a context is rejected if any byte of it changes', () => {
  const header = sign1000();
  for (let index = 0; index < header.length; index++) {
    const changed = header[index] === 'A' ? 'B' : 'A';
    // The last character of the signature has bits that base64 does not use.
    if (index === header.length - 1) continue;
    expect(
      newVerifier().verify(header.slice(0, index) + changed + header.slice(index + 1), 'r', 2_000),
    ).toBeNull();
  }
});

describe('with a private key that leaked,', () => {
  /** Signs any statement with the key of the issuer, as an attacker does who has the key. */
  const forge = (issuer: Issuer, changes: object, times: object = {}) =>
    signStatement(issuer, keysOfIssuer(issuer).CONTEXT_PRIVATE_KEY, {
      ...{ audience: 'claims', issuedAt: 1_000, expiresAt: 61_000, ...times },
      identity: { ...identity, ...changes },
    });

  const authorities: readonly (readonly [string, string, Issuer])[] = [
    ['a key', projectAuthority(tenant, 'key_one', null), 'gateway'],
    ['a token', projectAuthority(tenant, 'key_one', 'tok_one'), 'gateway'],
    ['an operator', operatorAuthority('17'), 'console'],
    ...ISSUERS.map((name) => [`the service ${name}`, serviceAuthority(name), name] as const),
    ['the service webhooks', serviceAuthority('webhooks'), 'gateway'],
  ];
  const cases = ISSUERS.flatMap((issuer) =>
    authorities.map(([name, authority, owner]) => [issuer, name, authority, owner] as const),
  );

  test.each(cases)(
    '%s can not state the authority of %s, unless it is its own',
    (issuer, _name, authority, owner) => {
      const isOwn = issuer === owner && authority !== serviceAuthority('webhooks');
      const isCaller = ['gateway', 'console', 'payments'].includes(issuer);
      const isServiceWithoutOwn = ['gateway', 'console'].includes(issuer) && authority.startsWith('service:');
      const verdict = verdictOf(forge(issuer, { authority }));
      if (isOwn && isCaller && !isServiceWithoutOwn)
        expect(verdict).toMatchObject({ issuer, caller: { authority } });
      else expect(verdict).toBe(isCaller ? 'states what its issuer may not state' : 'is for another service');
    },
  );

  test.each([
    ['the key of another project', { tenant: 'prj_two' }],
    ['a project whose ID starts with that of the key', { authority: 'project:prj_one2/key:key_one' }],
    ['an authority with only the prefix of a project', { authority: 'project:prj_one' }],
  ])('the gateway can not state %s', (_name, changes) => {
    expect(verdictOf(forge('gateway', changes))).toBe('states what its issuer may not state');
  });

  test('a context can not be valid for more than a minute, nor start more than 30 seconds ahead', () => {
    const lifetime = { issuedAt: 1_000, expiresAt: 61_001 };
    expect(verdictOf(forge('gateway', {}, lifetime))).toBe('is valid for too long');
    const ahead = { issuedAt: 32_000, expiresAt: 92_000 };
    expect(verdictOf(forge('gateway', {}, ahead), 2_000)).toEqual({ issuer: 'gateway', caller });
    expect(verdictOf(forge('gateway', {}, ahead), 1_999)).toMatch(/^is from the future/);
    const backwards = { issuedAt: 1_000, expiresAt: -Number.MAX_SAFE_INTEGER };
    expect(verdictOf(forge('gateway', {}, backwards))).toMatch(/^has expired/);
  });

  test.each([
    ['a tenant that is no text', { tenant: { toString: () => 'prj_one' } }],
    ['no authority', { authority: null }],
    ['scopes that are no list', { scopes: 'claims:read' }],
    ['resource IDs that are no list', { resourceIds: 'clm_1' }],
    ['a limit that is no number', { endpointLimit: '50' }],
  ])('%s is rejected as malformed', (_name, changes) => {
    expect(verdictOf(forge('gateway', changes))).toBe('has no valid signature');
  });

  test('a signed payload that is no JSON, or no object, is rejected', () => {
    const { CONTEXT_PRIVATE_KEY: key } = keysOfIssuer('gateway');
    for (const text of ['', '{', 'null', '[]', '"text"']) {
      const payload = Buffer.from(text).toString('base64url');
      const bytes = Buffer.from(JSON.stringify(['carecover context', 'gateway', payload]));
      const header = `gateway.${payload}.${sign(null, bytes, key).toString('base64url')}`;
      expect([text, verdictOf(header)]).toEqual([text, 'has no valid signature']);
    }
  });

  test('the signature of an answer is not that of a context', () => {
    const [, payload] = parts(sign1000());
    const answer = { context: payload, requestId: '', method: '', path: '', status: 0, text: '' };
    expect(verdictOf(`gateway.${payload}.${signerOf('gateway').signResponse(answer)}`)).toBe(
      'has no valid signature',
    );
  });
});

test('a context of one issuer is rejected under the name of another', () => {
  const [, payload, signature] = parts(sign1000());
  for (const issuer of ISSUERS.filter((name) => name !== 'gateway'))
    expect(verdictOf(`${issuer}.${payload}.${signature}`)).toBe('has no valid signature');
});

describe('keys', () => {
  const pair = generateKeyPairSync('ed25519');

  test('during a rotation contexts of the old and of the new key are accepted, then only those of the new key', () => {
    const [current] = TEST_ISSUER_KEYS.gateway ?? [];
    const both = { ...TEST_ISSUER_KEYS, gateway: [...(TEST_ISSUER_KEYS.gateway ?? []), pair.publicKey] };
    const rotated = new ContextSigner('gateway', {
      CONTEXT_PRIVATE_KEY: pair.privateKey,
      CONTEXT_PUBLIC_KEYS: both,
    });
    const [oldContext, newContext] = [sign1000(), rotated.sign(caller, 'claims', 1_000)];
    const accepted = (keys: typeof TEST_ISSUER_KEYS) =>
      [oldContext, newContext].map((header) => newVerifier(keys).verify(header, 'r', 2_000) !== null);
    expect(current).toBeDefined();
    expect(accepted(TEST_ISSUER_KEYS)).toEqual([true, false]);
    expect(accepted(both)).toEqual([true, true]);
    expect(accepted({ ...TEST_ISSUER_KEYS, gateway: [pair.publicKey] })).toEqual([false, true]);
    expect(accepted({ ...TEST_ISSUER_KEYS, gateway: [] })).toEqual([false, false]);
  });

  test('a process does not start with the private key of another issuer, or with one that no process accepts', () => {
    for (const [issuer, key] of [
      ['care', keysOfIssuer('console').CONTEXT_PRIVATE_KEY],
      ['care', pair.privateKey],
    ] as const)
      expect(
        () => new ContextSigner(issuer, { CONTEXT_PRIVATE_KEY: key, CONTEXT_PUBLIC_KEYS: TEST_ISSUER_KEYS }),
      ).toThrow(ConfigError);
  });
});

test('a caller has the same context for ten seconds, whatever the request; another caller or service has another one', () => {
  const signer = signerOf('gateway');
  const context = signer.sign(caller, 'claims', 100_000);
  expect(signer.sign({ ...caller, requestId: 'another' }, 'claims', 109_999)).toBe(context);
  expect(signer.sign({ ...caller, resourceIds: ['bkg_1'] }, 'claims', 100_000)).not.toBe(context);
  expect(signer.sign(caller, 'care', 100_000)).not.toBe(context);
  expect(signer.sign(caller, 'claims', 110_000)).not.toBe(context);
  expect(signer.sign(caller, 'claims', 99_999)).not.toBe(context);
});

test('a context that was verified before is valid no longer than its minute, and gives the id of each request', () => {
  const header = signerOf('gateway').sign(caller, 'claims', 200_000);
  const callerAt = (requestId: string, nowMs: number) => verifier.verify(header, requestId, nowMs)?.caller;
  expect(callerAt('first', 200_000)).toEqual({ ...caller, requestId: 'first' });
  expect(callerAt('second', 260_000)).toEqual({ ...caller, requestId: 'second' });
  expect(callerAt('third', 260_001)).toBeUndefined();
  expect(callerAt('fourth', 169_999)).toBeUndefined();
});

test('a flood of invalid contexts writes ten lines per minute', () => {
  jest.spyOn(Date, 'now').mockReturnValue(60_000);
  for (let count = 0; count < 100; count++) verifier.verify('forged', 'r');
  jest.restoreAllMocks();
  expect(lines).toHaveLength(10);
  expect(JSON.stringify(lines)).not.toContain('forged');
});

test('an answer belongs to one request, and to its issuer', () => {
  const answer = {
    context: 'c',
    requestId: 'r',
    method: 'GET',
    path: '/operator/projects',
    status: 200,
    text: '{}',
  };
  const signature = signerOf('gateway').signResponse(answer);
  expect(isResponseOf('gateway', TEST_ISSUER_KEYS, answer, signature)).toBe(true);
  expect(isResponseOf('console', TEST_ISSUER_KEYS, answer, signature)).toBe(false);
  for (const [field, value] of Object.entries({ ...answer, status: 404 }))
    expect([
      field,
      isResponseOf(
        'gateway',
        TEST_ISSUER_KEYS,
        { ...answer, [field]: field === 'status' ? value : `${value}x` },
        signature,
      ),
    ]).toEqual([field, false]);
  for (const wrong of [undefined, '', 'x', [signature]])
    expect(isResponseOf('gateway', TEST_ISSUER_KEYS, answer, wrong)).toBe(false);
});

test('a confirmation is recognized by its issuer alone, for its text alone, and is neither a context nor an answer', () => {
  const signature = signerOf('gateway').signConfirmation('approve');
  expect(signerOf('gateway').isConfirmation('approve', signature)).toBe(true);
  expect(signerOf('gateway').isConfirmation('approve more', signature)).toBe(false);
  expect(signerOf('console').isConfirmation('approve', signature)).toBe(false);
  for (const wrong of ['', 'x', signature.slice(1)])
    expect(signerOf('gateway').isConfirmation('approve', wrong)).toBe(false);
  const answer = { context: 'approve', requestId: '', method: '', path: '', status: 0, text: '' };
  expect(isResponseOf('gateway', TEST_ISSUER_KEYS, answer, signature)).toBe(false);
});

describe("an issuer's clock", () => {
  const MINUTE_MS = 60_000;

  /** Verifies contexts of an issuer whose clock differs, one every 15 seconds for two minutes. Returns the lines about clocks. */
  function watch(aheadMs: number, issuer: 'gateway' | 'payments' = 'gateway') {
    const authority = issuer === 'gateway' ? caller.authority : serviceAuthority(issuer);
    for (let nowMs = 10 * MINUTE_MS; nowMs < 12 * MINUTE_MS; nowMs += 15_000) {
      const header = signerOf(issuer).sign({ ...caller, authority }, 'claims', nowMs + aheadMs);
      verifier.verify(header, 'r', nowMs + 50);
    }
    return lines.flatMap(({ msg, issuer: named, seconds }) =>
      String(msg).startsWith('the clock') ? [{ msg, issuer: named, seconds }] : [],
    );
  }

  test('that is ahead is named in the log with its difference, before contexts are rejected', () => {
    expect(watch(5_000, 'payments')).toEqual([
      {
        issuer: 'payments',
        seconds: 5,
        msg: 'the clock of payments is at least 5 s ahead of the clock of this process: synchronize the clocks',
      },
    ]);
    expect(lines).toHaveLength(1);
  });

  test('that is behind is named too, less the ten seconds for which a context is used again', () => {
    expect(watch(-25_000)).toMatchObject([{ issuer: 'gateway', seconds: 15.1 }]);
  });

  test('that differs by two seconds or less is not', () => {
    for (const aheadMs of [0, 2_000, -2_000, -10_000]) expect(watch(aheadMs)).toEqual([]);
  });

  test('that is ahead by too much is named in the line of each rejected request', () => {
    const header = signerOf('gateway').sign(caller, 'claims', 100_000);
    expect(verdictOf(header, 55_000)).toBe('is from the future: the clock of gateway is ahead of this one');
    expect(lines.at(-1)).toMatchObject({ issuer: 'gateway', seconds: 45 });
  });
});
