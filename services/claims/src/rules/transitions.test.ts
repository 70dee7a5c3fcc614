import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adjudicationDecisions, claimStatuses } from '@carecover/contract';
import { type From, nextStatus, type Transition, transitions } from './transitions';
import { transitionsDocument } from './transitions-document';

const STATUSES: readonly From[] = ['none', ...claimStatuses];
const RECORDED_ANYWHERE: readonly Transition[] = [
  'record_remittance',
  'record_recovery',
  'settle_in_part',
  'settle_in_full',
  'reconcile',
];

/** The transition table of the API contract, written independently of the code: transition, previous status, next status. */
const ALLOWED: readonly (readonly [Transition, From, From])[] = [
  ['create', 'none', 'draft'],
  ['validate', 'draft', 'draft'],
  ['submit', 'draft', 'submitted'],
  ['query', 'submitted', 'queried'],
  ['lapse', 'queried', 'submitted'],
  ['add_evidence', 'queried', 'queried'],
  ['resubmit', 'queried', 'submitted'],
  ...(['submitted', 'approved', 'partially_approved', 'denied'] as const).flatMap(
    (from) =>
      [
        ['approve', from, 'approved'],
        ['approve_in_part', from, 'partially_approved'],
        ['deny', from, 'denied'],
      ] as const,
  ),
  ['reverse', 'approved', 'reversed'],
  ['reverse', 'partially_approved', 'reversed'],
  ['reverse', 'settled', 'reversed'],
  ['cancel', 'submitted', 'cancelled'],
  ['cancel', 'queried', 'cancelled'],
];

test('a claim transitions as the contract says and in no other way', () => {
  for (const transition of (Object.keys(transitions) as Transition[]).filter(
    (name) => !RECORDED_ANYWHERE.includes(name),
  )) {
    for (const from of STATUSES) {
      const expected = ALLOWED.find(([name, status]) => name === transition && status === from)?.[2] ?? null;
      expect([transition, from, nextStatus(transition, from, 'approved')]).toEqual([
        transition,
        from,
        expected,
      ]);
    }
  }
});

test('what payments decided is recorded in every status that a claim can be read in, and nothing of it is rejected', () => {
  for (const transition of RECORDED_ANYWHERE) {
    for (const from of claimStatuses.filter((status) => status !== 'draft')) {
      for (const decision of adjudicationDecisions)
        expect(nextStatus(transition, from, decision)).not.toBeNull();
    }
  }
});

test('only a full settlement settles, and only an approved or partially approved claim', () => {
  for (const from of claimStatuses.filter((status) => status !== 'draft')) {
    const settles = from === 'approved' || from === 'partially_approved' || from === 'settled';
    expect(nextStatus('settle_in_full', from, 'approved')).toBe(settles ? 'settled' : from);
  }
});

test('money taken back from a settled claim returns it to its decision, and leaves any other claim as it is', () => {
  expect(nextStatus('settle_in_part', 'settled', 'partially_approved')).toBe('partially_approved');
  expect(nextStatus('settle_in_part', 'settled', 'approved')).toBe('approved');
  expect(nextStatus('settle_in_part', 'reversed', null)).toBe('reversed');
});

test('the page about transitions is the table', () => {
  const path = join(__dirname, '../../docs/transitions.md');
  if (process.env.UPDATE_DOCS === '1') writeFileSync(path, transitionsDocument());
  expect(readFileSync(path, 'utf8')).toBe(transitionsDocument());
});
