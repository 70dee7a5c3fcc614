// Tests that an invalid request is rejected with the JSON pointer of every invalid field, and that a valid request is returned unchanged.
import { fc } from '@carecover/testing';
import {
  AdjudicationInput,
  BookingInput,
  ClaimInput,
  CoverageBatchInput,
  CoverageInput,
  PreauthorizationApproval,
  PreauthorizationDenial,
  RemittanceInput,
  SettlementInput,
  TokenInput,
  WebhookEndpointInput,
  WebhookRecoveryInput,
} from './index';
import { type OperationId, operationList, operations } from './operations';
import { problemMessage } from './problem';
import type { Checked } from './validators';
import {
  validateBody,
  validateBodyInSteps,
  validateHeaders,
  validateParams,
  validateQuery,
} from './validators';

type Fields = Record<string, unknown>;

/** Returns a new copy of a schema's first example. */
function example(schema: object): Fields {
  return structuredClone(Reflect.get(schema, 'examples')[0]);
}

/** Returns each problem as an error message contains it; none if the value is valid. */
function messagesOf(checked: Checked<unknown>): string[] {
  return checked.ok ? [] : checked.problems.map((each) => problemMessage([each]));
}

/** Returns the pointer of the first problem, or undefined if the value is valid. */
function firstPointer(checked: Checked<unknown>): string | undefined {
  return checked.ok ? undefined : checked.problems[0].pointer;
}

const bodies = operationList.flatMap(({ id, body }): [OperationId, Fields][] => {
  if (body === undefined) return [];
  const alternatives: object[] = Reflect.get(body, 'oneOf') ?? [body];
  return alternatives.map((alternative) => [id, example(alternative)]);
});

describe('bodies', () => {
  test.each(bodies)('%s: the example is valid and is returned unchanged', (id, body) => {
    expect(validateBody(id, body)).toEqual({ ok: true, value: example({ examples: [body] }) });
  });

  test.each(bodies)('%s: the pointer of an unknown field is reported', (id, body) => {
    expect(firstPointer(validateBody(id, { ...body, 'unknown/field': 1 }))).toBe('/unknown~1field');
    const hostile = JSON.parse(`{"__proto__":{},${JSON.stringify(body).slice(1)}`);
    expect(firstPointer(validateBody(id, hostile))).toBe('/__proto__');
  });

  test.each(bodies)(
    '%s: the pointer of a missing field is reported, unless the field is optional',
    (id, body) => {
      for (const name of Object.keys(body)) {
        const { [name]: _taken, ...rest } = body;
        expect([undefined, `/${name}`]).toContain(firstPointer(validateBody(id, rest)));
      }
    },
  );

  test.each(bodies)('%s: the pointer of a field of a wrong type is reported', (id, body) => {
    for (const name of Object.keys(body)) {
      const wrong = typeof body[name] === 'object' ? 'text' : { nested: [] };
      expect(firstPointer(validateBody(id, { ...body, [name]: wrong }))).toBe(`/${name}`);
    }
  });

  test.each(bodies)('%s: a value that is no object is rejected as a whole', (id) => {
    for (const body of [undefined, null, [], 'text', 1, true]) {
      expect(firstPointer(validateBody(id, body))).toBe('');
    }
  });

  test('validation does not change a body', () => {
    for (const [id, body] of bodies) {
      const before = JSON.stringify(body);
      validateBody(id, Object.freeze(body));
      expect(JSON.stringify(body)).toBe(before);
    }
  });

  test('arbitrary JSON is either valid or rejected with pointers, and never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.jsonValue(), fc.string(), ([id, body], value, name) => {
        const checked = validateBody(id, { ...body, [name]: value });
        return checked.ok || checked.problems.every(({ pointer }) => pointer.length <= 201);
      }),
    );
  });

  test('strings are not converted to numbers and booleans', () => {
    const settlement = example(SettlementInput);
    expect(firstPointer(validateBody('createSettlement', { ...settlement, amount: '300' }))).toBe('/amount');
    const coverage = example(CoverageInput);
    expect(
      firstPointer(validateBody('createCoverage', { ...coverage, authorization_required: 'true' })),
    ).toBe('/authorization_required');
  });

  test('amounts above 2^53 - 1, fractions and infinities are rejected', () => {
    const settlement = example(SettlementInput);
    for (const text of ['9007199254740992', '9007199254740993', '1e400', '0', '-1', '1.5']) {
      const amount: unknown = JSON.parse(text);
      expect(firstPointer(validateBody('createSettlement', { ...settlement, amount }))).toBe('/amount');
    }
    expect(validateBody('createSettlement', { ...settlement, amount: Number.MAX_SAFE_INTEGER }).ok).toBe(
      true,
    );
  });

  test('units are above 0 and at most 100', () => {
    const claim = example(ClaimInput);
    const [line] = claim.lines as Fields[];
    const withUnits = (units: number) =>
      validateBody('createClaim', { ...claim, lines: [{ ...line, units }] });
    for (const units of [0.001, 1.5, 100]) expect(withUnits(units).ok).toBe(true);
    for (const units of [0, -1, 100.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(firstPointer(withUnits(units))).toBe('/lines/0/units');
    }
  });

  test('NUL and half surrogate pairs are rejected in every string, with its pointer', () => {
    const coverage = example(CoverageInput);
    for (const hostile of ['a\0b', '\ud800', 'x\udc00']) {
      expect(firstPointer(validateBody('createCoverage', { ...coverage, plan_name: hostile }))).toBe(
        '/plan_name',
      );
    }
    const claim = example(ClaimInput);
    const [line] = claim.lines as Fields[];
    const lines = [line, { ...line, code_system: 'ab\0' }];
    expect(firstPointer(validateBody('createClaim', { ...claim, lines }))).toBe('/lines/1/code_system');
  });

  test('lengths count code points, not UTF-16 code units', () => {
    const coverage = example(CoverageInput);
    expect(validateBody('createCoverage', { ...coverage, plan_name: '\u{1f600}'.repeat(160) }).ok).toBe(true);
    expect(
      firstPointer(validateBody('createCoverage', { ...coverage, plan_name: '\u{1f600}'.repeat(161) })),
    ).toBe('/plan_name');
  });

  test('optional and nullable fields can be absent or null', () => {
    const claim = example(ClaimInput);
    const { preauthorization_id: _id, evidence_refs: _refs, ...least } = claim;
    expect(validateBody('createClaim', least).ok).toBe(true);
    expect(validateBody('createClaim', { ...claim, preauthorization_id: null }).ok).toBe(true);
    const coverage = example(CoverageInput);
    expect(validateBody('createCoverage', { ...coverage, coordination_priority: null }).ok).toBe(true);
  });

  test('a decision is validated by the schema of its outcome', () => {
    const approval = example(PreauthorizationApproval);
    const denial = example(PreauthorizationDenial);
    const decide = (body: Fields) => validateBody('decidePreauthorization', body);
    expect(firstPointer(decide({ ...approval, approved_amount: 0 }))).toBe('/approved_amount');
    expect(firstPointer(decide({ ...denial, approved_amount: 1 }))).toBe('/approved_amount');
    const { approved_amount: _amount, ...without } = approval;
    expect(firstPointer(decide(without))).toBe('/approved_amount');
    expect(firstPointer(decide({ ...approval, outcome: 'maybe' }))).toBe('/outcome');
    const { outcome: _outcome, ...undecided } = approval;
    expect(firstPointer(decide(undecided))).toBe('/outcome');
    expect(decide({ ...approval, outcome: 'maybe' })).toMatchObject({
      problems: [{ message: 'must be one of "approved", "denied"' }],
    });
  });

  test('an operation without a body accepts none or an empty object', () => {
    expect(validateBody('rotateWebhookSecret', undefined)).toEqual({ ok: true, value: undefined });
    expect(validateBody('rotateWebhookSecret', {}).ok).toBe(true);
    expect(firstPointer(validateBody('rotateWebhookSecret', { url: 'x' }))).toBe('/url');
    expect(firstPointer(validateBody('rotateWebhookSecret', []))).toBe('');
  });

  test('a very long field name is truncated in the pointer', () => {
    const checked = validateBody('createBooking', { ...example(BookingInput), ['x'.repeat(1e6)]: 1 });
    expect(firstPointer(checked)).toHaveLength(201);
  });

  test('a webhook address is an absolute URI of at most 2048 characters', () => {
    const endpoint = example(WebhookEndpointInput);
    const withUrl = (url: string) => validateBody('createWebhookEndpoint', { ...endpoint, url });
    expect(withUrl('https://example.com/a?b=c').ok).toBe(true);
    expect(withUrl('http://localhost:8080/').ok).toBe(true);
    for (const url of [
      '',
      '/hooks',
      'example.com',
      'https://',
      'https://a b',
      'https://[',
      'https://é.com/',
    ]) {
      expect([url, firstPointer(withUrl(url))]).toEqual([url, '/url']);
    }
    expect(firstPointer(withUrl(`https://example.com/${'a'.repeat(2048)}`))).toBe('/url');
    expect(firstPointer(withUrl(`https://example.com/${'%a'.repeat(1e5)}`))).toBe('/url');
  });

  test('a token has 1 or more known scopes, a lifetime of 60 to 3600 seconds and any number of known resources', () => {
    const token = example(TokenInput);
    const create = (change: Fields) => firstPointer(validateBody('createToken', { ...token, ...change }));
    expect(create({ resource_ids: [] })).toBeUndefined();
    expect(create({ scopes: ['*'] })).toBeUndefined();
    expect(create({ scopes: [] })).toBe('/scopes');
    expect(create({ scopes: ['claims:fly'] })).toBe('/scopes/0');
    expect(create({ expires_in: 59 })).toBe('/expires_in');
    expect(create({ expires_in: 3601 })).toBe('/expires_in');
    expect(create({ resource_ids: ['prc_a', 'xyz_a'] })).toBe('/resource_ids/1');
  });
});

describe('rules over several fields', () => {
  test('a booking ends after its start and at most 8 hours later, across offsets', () => {
    const book = (starts_at: string, ends_at: string) =>
      firstPointer(validateBody('createBooking', { ...example(BookingInput), starts_at, ends_at }));
    expect(book('2027-03-01T10:00:00Z', '2027-03-01T18:00:00Z')).toBeUndefined();
    expect(book('2027-03-01T10:00:00Z', '2027-03-01T18:00:00.001Z')).toBe('/ends_at');
    expect(book('2027-03-01T10:00:00Z', '2027-03-01T10:00:00Z')).toBe('/ends_at');
    expect(book('2027-03-01T10:00:00Z', '2027-03-01T12:30:00+03:00')).toBe('/ends_at');
    expect(book('2027-03-01T10:00:00+03:00', '2027-03-01T08:00:00Z')).toBeUndefined();
  });

  test('valid_until of a coverage is after valid_from, also in a batch', () => {
    const coverage = { ...example(CoverageInput), valid_until: '2025-01-01T03:00:00+03:00' };
    expect(firstPointer(validateBody('createCoverage', coverage))).toBe('/valid_until');
    const batch = example(CoverageBatchInput);
    const [record] = batch.records as Fields[];
    const records = [record, { ...record, valid_until: '2025-01-01T00:00:00Z' }];
    expect(firstPointer(validateBody('createCoverageBatch', { ...batch, records }))).toBe(
      '/records/1/valid_until',
    );
  });

  test('a batch has 1 to 500 records', () => {
    const batch = example(CoverageBatchInput);
    const [record] = batch.records as Fields[];
    const withRecords = (length: number) =>
      firstPointer(
        validateBody('createCoverageBatch', { ...batch, records: Array.from({ length }, () => record) }),
      );
    expect(withRecords(500)).toBeUndefined();
    expect(withRecords(0)).toBe('/records');
    expect(withRecords(501)).toBe('/records');
  });

  test('sums of amounts above 2^53 - 1 are rejected', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const claim = example(ClaimInput);
    const [line] = claim.lines as Fields[];
    const lines = [
      { ...line, amount: max },
      { ...line, amount: 1 },
    ];
    expect(firstPointer(validateBody('createClaim', { ...claim, lines }))).toBe('/lines');

    const remittance = example(RemittanceInput);
    const paid = [
      { claim_id: 'clm_a', paid_amount: max },
      { claim_id: 'clm_b', paid_amount: 1 },
    ];
    expect(firstPointer(validateBody('createRemittance', { ...remittance, allocations: paid }))).toBe(
      '/allocations',
    );

    const settlement = example(SettlementInput);
    const settled = [
      { claim_id: 'clm_a', amount: max },
      { claim_id: 'clm_b', amount: 1 },
    ];
    expect(firstPointer(validateBody('createSettlement', { ...settlement, allocations: settled }))).toBe(
      '/allocations',
    );

    const adjudication = example(AdjudicationInput);
    const [adjudicatedLine] = adjudication.lines as Fields[];
    const amounts = { billed: 1, allowed: 1, payer: 1, patient_responsibility: max, adjustment: 0 };
    const adjudicatedLines = [1, 2].map((line_number) => ({
      ...adjudicatedLine,
      line_number,
      amount: amounts,
    }));
    expect(firstPointer(validateBody('adjudicateClaim', { ...adjudication, lines: adjudicatedLines }))).toBe(
      '/lines',
    );
  });

  test('the period of a recovery has at most 30 days', () => {
    const recover = (since: string, until: string) =>
      firstPointer(
        validateBody('recoverWebhookEndpoint', { ...example(WebhookRecoveryInput), since, until }),
      );
    expect(recover('2027-03-01T00:00:00Z', '2027-03-31T00:00:00Z')).toBeUndefined();
    expect(recover('2027-03-01T00:00:00Z', '2027-03-31T00:00:00.001Z')).toBe('/until');
    expect(recover('2027-03-01T00:00:00Z', '2027-03-01T00:00:00Z')).toBe('/until');
  });
});

describe('queries', () => {
  test('limit has a default and bounds, and is a decimal integer', () => {
    expect(validateQuery('listClaims', {})).toEqual({ ok: true, value: { limit: 20 } });
    expect(validateQuery('listClaims', { limit: '100' })).toEqual({ ok: true, value: { limit: 100 } });
    for (const limit of ['0', '101', '-1', '+5', '5.0', '1e1', '0x5', ' 5', '5 ', '05', '', '９', 'NaN']) {
      expect([limit, firstPointer(validateQuery('listClaims', { limit }))]).toEqual([limit, '/query/limit']);
    }
  });

  test('a repeated or an unknown parameter is rejected, also with the name of an object property', () => {
    expect(firstPointer(validateQuery('listClaims', { limit: ['1', '2'] }))).toBe('/query/limit');
    expect(firstPointer(validateQuery('listClaims', { page: '2' }))).toBe('/query/page');
    expect(validateQuery('listClaims', { provider_claim_reference: 'ab\0' })).toMatchObject({
      problems: [
        {
          pointer: '/query/provider_claim_reference',
          message: 'must not contain NUL or half a surrogate pair',
        },
      ],
    });
    // A query string with `+01:00` arrives with a space.
    expect(validateQuery('getClaimValuation', { valuation_at: '2027-03-01T09:00:00 01:00' })).toEqual({
      ok: false,
      problems: [
        {
          pointer: '/query/valuation_at',
          message: 'must be an RFC 3339 date-time with an offset: encode + as %2B in a query',
        },
      ],
    });
    // The hint is only for a text that can be an instant: the search for the space takes quadratic time.
    const long = `2027-03-01T09:00:00.${'0'.repeat(60)} 01:00`;
    expect(validateQuery('getClaimValuation', { valuation_at: long })).toMatchObject({
      problems: [{ message: 'must be an RFC 3339 date-time with an offset' }],
    });
    expect(firstPointer(validateQuery('getClaim', { expand: 'lines' }))).toBe('/query/expand');
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const raw = JSON.parse(`{${JSON.stringify(name)}: "x"}`);
      expect(firstPointer(validateQuery('listClaims', raw))).toBe(`/query/${name}`);
    }
  });

  test('a valuation counts what took effect by the cutoff or an earlier instant', () => {
    const valuation = (effective_through: string) =>
      validateQuery('getClaimValuation', { valuation_at: '2027-03-01T10:00:00+03:00', effective_through });
    for (const earlier of ['2027-03-01T07:00:00Z', '2027-02-01T00:00:00Z'])
      expect(valuation(earlier).ok).toBe(true);
    for (const wrong of ['2027-03-01T07:00:00.001Z', 'yesterday'])
      expect(firstPointer(valuation(wrong))).toBe('/query/effective_through');
  });

  test('the period of free slots ends after its start and at most 31 days later, and a slot is at most 8 hours long', () => {
    const slots = (to: string, duration_minutes = '50') =>
      validateQuery('listPractitionerSlots', {
        from: '2027-03-01T10:00:00+03:00',
        to,
        duration_minutes,
        format: 'online',
      });
    expect(slots('2027-04-01T07:00:00Z', '480')).toMatchObject({
      ok: true,
      value: { duration_minutes: 480, limit: 20 },
    });
    for (const to of ['2027-04-01T07:00:00.001Z', '2027-03-01T07:00:00Z', '2027-02-01T00:00:00Z']) {
      expect(firstPointer(slots(to))).toBe('/query/to');
    }
    for (const minutes of ['0', '481', '1.5']) {
      expect(firstPointer(slots('2027-03-02T00:00:00Z', minutes))).toBe('/query/duration_minutes');
    }
  });

  test('only documented filters with documented values are accepted', () => {
    expect(validateQuery('listClaims', { status: 'queried', created_after: '2027-01-01T00:00:00Z' }).ok).toBe(
      true,
    );
    expect(firstPointer(validateQuery('listClaims', { status: 'open' }))).toBe('/query/status');
    expect(firstPointer(validateQuery('listClaims', { created_before: 'yesterday' }))).toBe(
      '/query/created_before',
    );
    expect(firstPointer(validateQuery('listClaims', { starting_after: 'bkg_1' }))).toBe(
      '/query/starting_after',
    );
    expect(firstPointer(validateQuery('listPractitioners', { created_after: '2027-01-01T00:00:00Z' }))).toBe(
      '/query/created_after',
    );
    expect(validateQuery('listEvents', { type: 'claim.settled' }).ok).toBe(true);
    expect(firstPointer(validateQuery('listEvents', { type: 'claim.exploded' }))).toBe('/query/type');
    expect(firstPointer(validateQuery('listEvents', { status: 'pending' }))).toBe('/query/status');
  });

  test('valuation_at is required', () => {
    expect(firstPointer(validateQuery('getClaimValuation', {}))).toBe('/query/valuation_at');
    expect(firstPointer(validateQuery('getClaimValuation', { valuation_at: '2027-01-01' }))).toBe(
      '/query/valuation_at',
    );
    expect(validateQuery('getClaimValuation', { valuation_at: '2027-01-01T00:00:00.5+01:00' }).ok).toBe(true);
  });

  test('discovery ignores parameters, because it never responds 400', () => {
    expect(validateQuery('getApi', { anything: 'x' }).ok).toBe(true);
  });
});

describe('paths and headers', () => {
  test('the prefix, the characters and the length of an identifier in a path are validated', () => {
    expect(validateParams('getClaim', { claim_id: 'clm_a' })).toEqual({
      ok: true,
      value: { claim_id: 'clm_a' },
    });
    for (const claim_id of ['bkg_a', 'clm_', 'clm_a b', 'clm_a\0', `clm_${'a'.repeat(97)}`]) {
      expect(firstPointer(validateParams('getClaim', { claim_id }))).toBe('/path/claim_id');
    }
  });

  test('the Idempotency-Key has 8 to 255 characters on operations that read it', () => {
    const withKey = (id: OperationId, key: string | undefined) =>
      firstPointer(
        validateHeaders(id, {
          'idempotency-key': key === undefined ? undefined : [key],
          authorization: ['Bearer x'],
        }),
      );
    expect(withKey('createBooking', 'k'.repeat(8))).toBeUndefined();
    expect(withKey('createBooking', 'k'.repeat(255))).toBeUndefined();
    expect(withKey('createBooking', undefined)).toBe('/headers/Idempotency-Key');
    for (const id of ['createBooking', 'recordConsent'] as const) {
      expect(withKey(id, 'k'.repeat(7))).toBe('/headers/Idempotency-Key');
      expect(withKey(id, 'k'.repeat(256))).toBe('/headers/Idempotency-Key');
    }
    expect(withKey('recordConsent', undefined)).toBeUndefined();
    expect(withKey('createToken', 'short')).toBeUndefined();
    expect(withKey('getClaim', 'short')).toBeUndefined();
  });

  test('a batch requires X-Artifact-Reference', () => {
    const headers = { 'idempotency-key': ['key-00001'], 'x-artifact-reference': ['file/1'] };
    expect(validateHeaders('createCoverageBatch', headers)).toEqual({
      ok: true,
      value: {
        idempotencyKey: 'key-00001',
        values: { 'Idempotency-Key': 'key-00001', 'X-Artifact-Reference': 'file/1' },
      },
    });
    expect(firstPointer(validateHeaders('createCoverageBatch', { 'idempotency-key': ['key-00001'] }))).toBe(
      '/headers/X-Artifact-Reference',
    );
  });
});

const pointers = (checked: Checked<unknown>) =>
  checked.ok ? [] : checked.problems.map(({ pointer }) => pointer);

describe('every invalid field is reported at once', () => {
  test('with what was expected, one problem per pointer', () => {
    const checked = validateBody('createBooking', {
      practitioner_id: `clm_${'x'.repeat(200)}`,
      starts_at: 'yesterday',
      format: 7,
      payment_source: 'cash',
      more: 1,
    });
    expect(checked).toEqual({
      ok: false,
      problems: expect.arrayContaining([
        { pointer: '/ends_at', message: 'is required' },
        { pointer: '/more', message: 'is not known here' },
        { pointer: '/starts_at', message: 'must be an RFC 3339 date-time with an offset' },
        { pointer: '/format', message: 'must be one of "online", "in_person", "phone"' },
        { pointer: '/payment_source', message: 'must be one of "self_pay", "covered"' },
        {
          pointer: '/practitioner_id',
          message: 'must have at most 100 characters and must match ^prc_[A-Za-z0-9_-]+$',
        },
      ]),
    });
    expect(new Set(pointers(checked)).size).toBe(6);
  });

  test('an amount that is no integer is explained in minor units, and no other number is', () => {
    const [line] = example(ClaimInput).lines as Fields[];
    for (const amount of [3500.5, '3500', '3,500.00', null]) {
      expect(
        messagesOf(validateBody('createClaim', { ...example(ClaimInput), lines: [{ ...line, amount }] })),
      ).toEqual(['/lines/0/amount must be an integer in minor units: 350000 is KES 3,500.00']);
    }
    expect(messagesOf(validateBody('createToken', { ...example(TokenInput), expires_in: 60.5 }))).toEqual([
      '/expires_in must be an integer',
    ]);
    expect(
      messagesOf(validateBody('createClaim', { ...example(ClaimInput), lines: [{ ...line, units: 0 }] })),
    ).toEqual(['/lines/0/units must be greater than 0']);
  });

  test.each(
    operationList.flatMap(({ id, params }) =>
      Object.keys(Reflect.get(params, 'properties')).map((name) => [id, name] as const),
    ),
  )('%s: an identifier of another type in %s is named, without the identifier', (id, name) => {
    const properties: Record<string, { examples: string[] }> = Reflect.get(
      operations[id].params as object,
      'properties',
    );
    const params = Object.fromEntries(
      Object.entries(properties).map(([each, { examples }]): [string, string] => [each, examples[0] ?? '']),
    );
    const wrong = validateParams(id, { ...params, [name]: 'stl_0199f2a4' });
    if (name === 'settlement_id') expect(wrong.ok).toBe(true);
    else
      expect(messagesOf(wrong)).toEqual([
        expect.stringMatching(
          /^\/path\/\w+ must be the ID of an? [a-z -]+ \([a-z]+_…\), not of a settlement$/,
        ),
      ]);
  });

  test('an identifier in a body is explained in the same way; a value that is no identifier must match the pattern', () => {
    const check = (session_id: string) =>
      messagesOf(validateBody('createClaim', { ...example(ClaimInput), session_id }));
    expect(check('bkg_0199f2a4')).toEqual([
      '/session_id must be the ID of a session (ses_…), not of a booking',
    ]);
    expect(check('evt_0199f2a4')).toEqual([
      '/session_id must be the ID of a session (ses_…), not of an event',
    ]);
    for (const text of ['0199f2a4', 'sk_test_secret', 'bkg_', 'bkg_/x', `bkg_${'x'.repeat(100)}`])
      expect(check(text).join()).toContain('must match ^ses_[A-Za-z0-9_-]+$');
  });

  test('a leap second is named', () => {
    expect(messagesOf(validateQuery('getClaimValuation', { valuation_at: '2016-12-31T23:59:60Z' }))).toEqual([
      '/query/valuation_at must be an RFC 3339 date-time with an offset: a leap second (:60) is not accepted',
    ]);
  });

  test('also for rules over several fields and for text that cannot be stored', () => {
    const batch = example(CoverageBatchInput);
    const [record] = batch.records as Fields[];
    const late = { ...record, valid_until: '2025-01-01T00:00:00Z' };
    expect(
      pointers(validateBody('createCoverageBatch', { ...batch, records: [late, record, late] })),
    ).toEqual(['/records/0/valid_until', '/records/2/valid_until']);
    const unplain = { ...record, plan_name: 'a\0', record_version: '\ud800' };
    expect(pointers(validateBody('createCoverageBatch', { ...batch, records: [unplain] })).sort()).toEqual([
      '/records/0/plan_name',
      '/records/0/record_version',
    ]);
  });

  test('a rule for several fields is checked unless one of them has a problem', () => {
    const times = { starts_at: '2027-03-01T10:00:00Z', ends_at: '2027-03-01T09:00:00Z' };
    expect(pointers(validateBody('createBooking', { ...times, format: 7 })).sort()).toEqual([
      '/ends_at',
      '/format',
      '/payment_source',
      '/practitioner_id',
    ]);
    const noStart = { ...times, starts_at: 'now' };
    expect(pointers(validateBody('createBooking', noStart))).not.toContain('/ends_at');
    for (const none of [null, 7, [], 'text'])
      expect(pointers(validateBody('createBooking', none))).toEqual(['']);

    const period = { from: '2027-03-02T10:00:00Z', to: '2027-03-01T10:00:00Z', format: 'online' };
    expect(pointers(validateQuery('listPractitionerSlots', { ...period, duration_minutes: '0' }))).toEqual([
      '/query/duration_minutes',
      '/query/to',
    ]);
    const batch = example(CoverageBatchInput);
    const [record] = batch.records as Fields[];
    const late = { ...record, valid_until: '2025-01-01T00:00:00Z' };
    const many = { ...batch, batch_version: 7, records: [...Array(120).fill(record), late] };
    expect(pointers(validateBody('createCoverageBatch', many))).toEqual([
      '/batch_version',
      '/records/120/valid_until',
    ]);
    const invalid = { ...many, records: [...many.records, { ...late, currency: 7 }] };
    expect(pointers(validateBody('createCoverageBatch', invalid))).toEqual([
      '/batch_version',
      '/records/121/currency',
    ]);
  });

  test('also for queries and headers', () => {
    const query = validateQuery('listClaims', { limit: ['1', '2'], page: '2', status: 'open' });
    expect(pointers(query).sort()).toEqual(['/query/limit', '/query/page', '/query/status']);
    expect(pointers(validateHeaders('createCoverageBatch', {}))).toEqual([
      '/headers/X-Artifact-Reference',
      '/headers/Idempotency-Key',
    ]);
  });

  test('a repeated header that a proxy could read differently is rejected on every operation', () => {
    for (const name of ['Content-Type', 'Idempotency-Key', 'X-Artifact-Reference', 'X-Request-Id']) {
      const twice = { [name.toLowerCase()]: ['same-value', 'same-value'] };
      for (const { id } of operationList) {
        expect(pointers(validateHeaders(id, twice))).toContain(`/headers/${name}`);
      }
    }
  });

  test('a message contains at most 20 problems', () => {
    const batch = example(CoverageBatchInput);
    const checked = validateBody('createCoverageBatch', { ...batch, records: Array(500).fill({}) });
    const message = problemMessage(checked.ok ? [] : checked.problems);
    expect(message.split('; ')).toHaveLength(21);
    expect(message).toMatch(/; and more$/);
  });
});

describe('a body of many items', () => {
  const batch = example(CoverageBatchInput);
  const [record] = batch.records as Fields[];
  const records = (length: number, changes: Record<number, unknown>) =>
    Array.from({ length }, (_, index) => changes[index] ?? record);
  const faults = (body: Fields) => pointers(validateBody('createCoverageBatch', body));

  test('is validated in steps, and each problem has the pointer of its item', () => {
    const body = {
      ...batch,
      batch_reference: '',
      more: 1,
      records: records(120, { 0: { ...record, currency: 1 }, 60: 7, 119: { ...record, valid_from: 'now' } }),
    };
    const places = [
      '/more',
      '/batch_reference',
      '/records/0/currency',
      '/records/60',
      '/records/119/valid_from',
    ];
    expect(faults(body).sort()).toEqual(places.sort());
    expect([...validateBodyInSteps('createCoverageBatch', body)].length).toBeGreaterThan(2);
  });

  test('is valid if each item is valid and the schema permits their number', () => {
    expect(faults({ ...batch, records: records(500, {}) })).toEqual([]);
    expect(faults({ ...batch, records: records(501, {}) })).toEqual(['/records']);
    expect(faults({ ...batch, records: records(500, { 499: { ...record, plan_name: '\0' } }) })).toEqual([
      '/records/499/plan_name',
    ]);
  });

  test('of few items is one step', () => {
    expect([...validateBodyInSteps('createCoverageBatch', batch)]).toEqual([]);
  });
});

test('a message contains the pointer of each problem', () => {
  const amount = { pointer: '/lines/0/amount', message: 'must be at least 1' };
  expect(problemMessage([amount])).toBe('/lines/0/amount must be at least 1');
  expect(problemMessage([{ pointer: '', message: 'must be an object' }])).toBe('The body must be an object');
  expect(problemMessage([amount, { pointer: '/currency', message: 'is required' }])).toBe(
    '/lines/0/amount must be at least 1; /currency is required',
  );
});

test('every list that has creation times can be read in both orders, and in no other one', () => {
  const lists = operationList.filter(
    ({ query }) => 'created_after' in Object(Reflect.get(query, 'properties')),
  );
  expect(lists.length).toBeGreaterThan(10);
  for (const { id } of lists) {
    for (const order of ['asc', 'desc'])
      expect([id, validateQuery(id, { order })]).toMatchObject([id, { ok: true }]);
    expect([id, validateQuery(id, { order: 'ASC' })]).toMatchObject([
      id,
      { ok: false, problems: [{ pointer: '/query/order' }] },
    ]);
  }
  expect(validateQuery('getClaim', { order: 'asc' })).toMatchObject({ ok: false });
});
