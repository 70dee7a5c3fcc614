import { extractCredential } from './presented-credential';

const encode = (text: string) => Buffer.from(text).toString('base64');
const basic = (text: string) => `Basic ${encode(text)}`;

test.each([
  ['a bearer token', { authorization: ['Bearer abc'] }, { text: 'abc' }],
  ['a bearer token in another case', { authorization: ['bearer abc'] }, { text: 'abc' }],
  ['an x-api-key', { 'x-api-key': ['abc'] }, { text: 'abc' }],
  ['both, equal', { authorization: ['Bearer abc'], 'x-api-key': ['abc'] }, { text: 'abc' }],
  ['both, different', { authorization: ['Bearer abc'], 'x-api-key': ['abd'] }, 'invalid'],
  ['two Authorization headers that differ', { authorization: ['Bearer abc', 'Bearer abd'] }, 'invalid'],
  ['two x-api-key headers that differ', { 'x-api-key': ['abc', 'abd'] }, 'invalid'],
  ['a user name without a password', { authorization: [basic('abc:')] }, { text: 'abc' }],
  [
    'a user name in another case of the scheme',
    { authorization: [`bAsIc ${encode('abc:')}`] },
    { text: 'abc' },
  ],
  ['a user name without the padding', { authorization: [basic('ab:').replaceAll('=', '')] }, { text: 'ab' }],
  [
    'a user name and an equal x-api-key',
    { authorization: [basic('abc:')], 'x-api-key': ['abc'] },
    { text: 'abc' },
  ],
  ['a user name and another x-api-key', { authorization: [basic('abc:')], 'x-api-key': ['abd'] }, 'invalid'],
  ['a user name and another bearer token', { authorization: [basic('abc:'), 'Bearer abd'] }, 'invalid'],
  ['a user name and an equal bearer token', { authorization: [basic('abc:'), 'Bearer abc'] }, 'invalid'],
  ['two equal Authorization headers', { authorization: ['Bearer abc', 'Bearer abc'] }, { text: 'abc' }],
  ['a user name with a password', { authorization: [basic('abc:abc')] }, 'invalid'],
  ['a password without a user name', { authorization: [basic(':abc')] }, 'invalid'],
  ['a user name with a space', { authorization: [basic('a bc:')] }, 'invalid'],
  ['a user name without a colon', { authorization: [basic('abc')] }, 'invalid'],
  ['neither a user name nor a password', { authorization: [basic(':')] }, 'invalid'],
  ['a user name that is not base64', { authorization: ['Basic abc:'] }, 'invalid'],
  ['a user name that is not UTF-8', { authorization: ['Basic /zo='] }, 'invalid'],
  ['the scheme Basic alone', { authorization: ['Basic'] }, 'invalid'],
  ['another scheme', { authorization: ['Digest abc'] }, 'invalid'],
  ['another scheme and an x-api-key', { authorization: ['Digest abc'], 'x-api-key': ['abc'] }, 'invalid'],
  ['a scheme without a token', { authorization: ['Bearer'] }, 'invalid'],
  ['two tokens in one header', { authorization: ['Bearer abc abd'] }, 'invalid'],
  ['nothing', {}, 'missing'],
  ['empty headers', { authorization: [''], 'x-api-key': [' '] }, 'missing'],
])('%s', (_, headers, expected) => {
  expect(extractCredential(headers)).toEqual(expected);
});
