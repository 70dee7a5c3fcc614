import { serviceCaller } from './context';
import { requireVisible, visible } from './visible';

const caller = serviceCaller('prj_1', 'sandbox', 'care', 'r');
const narrowed = { ...caller, resourceIds: ['clm_mine'] };
const isNotFound = expect.objectContaining({ code: 'resource_not_found' });

test('a token that is narrowed to resources sees those alone', () => {
  expect(visible(narrowed, 'clm_mine', 'a claim')).toBe('a claim');
  expect(() => visible(narrowed, 'clm_other', 'a claim')).toThrow(isNotFound);
  expect(() => requireVisible(narrowed, 'clm_other')).toThrow(isNotFound);
});

test('who is not narrowed sees whatever was found', () => {
  expect(visible(caller, 'clm_other', 'a claim')).toBe('a claim');
  expect(() => requireVisible(caller, 'clm_other')).not.toThrow();
});

test.each([null, undefined])('what was not found (%s) is answered as what may not be seen', (nothing) => {
  expect(() => visible(caller, 'clm_mine', nothing)).toThrow(isNotFound);
});
