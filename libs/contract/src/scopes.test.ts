// A key may do what its scopes say and nothing else.
import { grants, isGrantedScope, isSubset, scopes, WILDCARD_SCOPE } from './scopes';

test('a scope grants itself alone', () => {
  for (const granted of scopes) {
    for (const required of scopes) expect(grants([granted], required)).toBe(granted === required);
  }
});

test('the wildcard grants every scope, and no scope grants nothing', () => {
  for (const required of scopes) {
    expect(grants([WILDCARD_SCOPE], required)).toBe(true);
    expect(grants([], required)).toBe(false);
  }
});

test('what any key may do needs no scope', () => {
  expect(grants([], 'any key')).toBe(true);
  expect(grants([], 'secret key')).toBe(true);
});

test('a token gets at most what its key has; the wildcard only from the wildcard', () => {
  expect(isSubset(['claims:read'], ['claims:read', 'claims:write'])).toBe(true);
  expect(isSubset(['claims:read', 'claims:write'], ['claims:read'])).toBe(false);
  expect(isSubset(['claims:read'], ['*'])).toBe(true);
  expect(isSubset(['*'], scopes)).toBe(false);
  expect(isSubset(['*'], ['*'])).toBe(true);
});

test('only listed scopes can be granted', () => {
  expect(isGrantedScope('claims:read')).toBe(true);
  expect(isGrantedScope('*')).toBe(true);
  for (const text of ['claims:*', 'toString', '', 'claims:delete']) expect(isGrantedScope(text)).toBe(false);
});
