// Tests that a key can call exactly the operations that its scopes grant.
import { grants, isGrantedScope, isSubset, scopes, WILDCARD_SCOPE } from './scopes';

test('a scope grants only itself', () => {
  for (const granted of scopes) {
    for (const required of scopes) expect(grants([granted], required)).toBe(granted === required);
  }
});

test('the wildcard grants every scope, and an empty list grants none', () => {
  for (const required of scopes) {
    expect(grants([WILDCARD_SCOPE], required)).toBe(true);
    expect(grants([], required)).toBe(false);
  }
});

test('an operation for any key or any secret key requires no scope', () => {
  expect(grants([], 'any key')).toBe(true);
  expect(grants([], 'secret key')).toBe(true);
});

test('a token can have only scopes of its key, and the wildcard only from the wildcard', () => {
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
