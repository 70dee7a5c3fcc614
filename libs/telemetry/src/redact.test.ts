import { createLog } from './log';
import { hasSecret, redactSecrets } from './redact';

test.each([
  ['There is no key sk_live_abcDEF123.', 'There is no key sk_[redacted]'],
  ["unknown command 'pt_test_xyz'", "unknown command 'pt_[redacted]'"],
  ['signed with whsec_aGVsbG8=', 'signed with whsec_[redacted]'],
  [`Basic ${btoa('sk_test_abcDEF123:')} failed`, 'Basic [redacted] failed'],
  [`Basic ${btoa('pt_live_abcDEF123:')}`, 'Basic [redacted]'],
  ['postgres://app:hunter2@db:5432/x failed', 'postgres://app:[redacted]@db:5432/x failed'],
  ['nats://a:p@ss/w:ord@one:4222', 'nats://a:[redacted]@one:4222'],
  ['(a://b:c@d, e://f:g@h:1, i://j:k)', '(a://b:[redacted]@d, e://f:[redacted]@h:1, i://j:k)'],
  [`${'s'.repeat(40)}://a:b@c a://b c@d`, `${'s'.repeat(40)}://a:[redacted]@c a://b c@d`],
])('%s loses its secret', (text, expected) => {
  expect(redactSecrets(text)).toBe(expected);
  expect(redactSecrets(expected)).toBe(expected);
});

const LETTERS = 'abcDEF123456';
test.each([
  ...['sk_test_', 'sk_live_', 'pt_test_', 'pt_live_', 'whsec_'].map((prefix) => `name=${prefix}${LETTERS}`),
  `Basic ${btoa('sk_test_abcDEF123:')} failed`,
  'postgres://app:hunter2@db:5432/x',
  'postgres://sk_user:pt_1@db:5432/x',
])('%s has a secret', (text) => expect(hasSecret(text)).toBe(true));

test.each(['pt_BR', 'sk_district_north', 'pt_test_day', 'sk_test_abcd', 'whsec_rotation', 'see sk_live_…'])(
  '%s is a name, though it is replaced in texts',
  (text) => {
    expect(hasSecret(text)).toBe(false);
    expect(redactSecrets(text)).toContain('[redacted]');
  },
);

test.each(['There is no key key_123.', 'https://127.0.0.1:8443/v1', 'desk_1, opt_out and prj_sk', ''])(
  '%s is not changed',
  (text) => expect(hasSecret(text)).toBe(false),
);

test('a logged error has no secrets in its message, stack and fields', () => {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
  const cause = new TypeError('Invalid URL', { cause: new Error('postgres://app:hunter2@db') });
  const error = Object.assign(new Error('postgres://app:hunter2@db', { cause }), {
    input: 'nats://app:hunter2@db',
  });
  log.warn({ err: error }, 'a message');
  log.warn({ error }, 'a message');
  expect(lines.join('')).not.toContain('hunter2');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    err: { type: 'Error', input: 'nats://app:[redacted]@db', stack: expect.stringContaining('redact.test') },
  });
});
