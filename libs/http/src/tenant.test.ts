import { requireResource, requireVisible } from '@carecover/domain';
import { serviceCaller } from './authority';

const caller = serviceCaller('prj_1', 'sandbox', 'care', 'r');
const narrowed = { ...caller, resourceIds: ['clm_mine'] };
const isNotFound = expect.objectContaining({ code: 'resource_not_found' });

test('a narrowed token can read only its resources', () => {
  expect(requireResource(narrowed, 'clm_mine', 'a claim')).toBe('a claim');
  expect(() => requireResource(narrowed, 'clm_other', 'a claim')).toThrow(isNotFound);
  expect(() => requireVisible(narrowed, 'clm_other')).toThrow(isNotFound);
});

test('other callers can read every resource that the query found', () => {
  expect(requireResource(caller, 'clm_other', 'a claim')).toBe('a claim');
  expect(() => requireVisible(caller, 'clm_other')).not.toThrow();
});

test.each([null, undefined])(
  'a resource that was not found (%s) gets the same error as one that is not included',
  (nothing) => {
    expect(() => requireResource(caller, 'clm_mine', nothing)).toThrow(isNotFound);
  },
);
