import { extractCredential } from './presented-credential';

test.each([
  ['a bearer token', { authorization: ['Bearer abc'] }, { text: 'abc' }],
  ['a bearer token in another case', { authorization: ['bearer abc'] }, { text: 'abc' }],
  ['an x-api-key', { 'x-api-key': ['abc'] }, { text: 'abc' }],
  ['both, equal', { authorization: ['Bearer abc'], 'x-api-key': ['abc'] }, { text: 'abc' }],
  ['both, different', { authorization: ['Bearer abc'], 'x-api-key': ['abd'] }, 'invalid'],
  ['two Authorization headers that differ', { authorization: ['Bearer abc', 'Bearer abd'] }, 'invalid'],
  ['two x-api-key headers that differ', { 'x-api-key': ['abc', 'abd'] }, 'invalid'],
  ['another scheme', { authorization: ['Basic abc'] }, 'invalid'],
  ['another scheme and an x-api-key', { authorization: ['Basic abc'], 'x-api-key': ['abc'] }, 'invalid'],
  ['a scheme without a token', { authorization: ['Bearer'] }, 'invalid'],
  ['two tokens in one header', { authorization: ['Bearer abc abd'] }, 'invalid'],
  ['nothing', {}, 'missing'],
  ['empty headers', { authorization: [''], 'x-api-key': [' '] }, 'missing'],
])('%s', (_, headers, expected) => {
  expect(extractCredential(headers)).toEqual(expected);
});
