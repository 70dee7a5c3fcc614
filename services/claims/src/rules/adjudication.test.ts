import type { AdjudicationInput, ClaimLine } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { adjudicate, deriveDecision } from './adjudication';

function claimLine(line_number: number, amount: number): ClaimLine {
  return {
    line_number,
    code_system: 'CPT',
    code_system_version: null,
    service_code: 'psy',
    units: 1,
    amount,
  };
}

type Line = AdjudicationInput['lines'][number];

function line(line_number: number, billed: number, payer: number, patient: number, changes = {}): Line {
  const allowed = payer + patient;
  return {
    line_number,
    amount: {
      billed,
      allowed,
      payer,
      patient_responsibility: patient,
      adjustment: billed - allowed,
      ...changes,
    },
    reason_codes: ['x'],
  };
}

function rejection(
  claimLines: readonly ClaimLine[],
  lines: readonly Line[],
): { code: string; message: string } {
  try {
    adjudicate(claimLines, lines);
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was not rejected');
}

const CLAIM = [claimLine(1, 100), claimLine(2, 50)];

test('totals are the exact sums of the lines, in any order of the lines', () => {
  expect(adjudicate(CLAIM, [line(2, 50, 30, 10), line(1, 100, 60, 20)])).toEqual({
    totals: { billed: 150, payer: 90, patient_responsibility: 30, adjustment: 30 },
    decision: 'partially_approved',
  });
});

test('the decision follows from the payer total: none, all, or some of what was billed', () => {
  expect(deriveDecision({ billed: 100, payer: 0 })).toBe('denied');
  expect(deriveDecision({ billed: 100, payer: 100 })).toBe('approved');
  expect(deriveDecision({ billed: 100, payer: 1 })).toBe('partially_approved');
  expect(deriveDecision({ billed: 100, payer: 99 })).toBe('partially_approved');
});

describe('every claim line must be adjudicated exactly once with its own amount, and the message points to the line', () => {
  test.each([
    ['a missing line', [line(1, 100, 0, 0)], '/lines '],
    ['an unknown line', [line(1, 100, 0, 0), line(3, 50, 0, 0)], '/lines/1/line_number '],
    ['a line twice', [line(1, 100, 0, 0), line(1, 100, 0, 0), line(2, 50, 0, 0)], '/lines/1/line_number '],
    ['another billed amount', [line(1, 100, 0, 0), line(2, 51, 0, 0)], '/lines/1/amount/billed '],
  ])('%s', (_, lines, pointer) => {
    const { code, message } = rejection(CLAIM, lines);
    expect(code).toBe('adjudication_lines_mismatch');
    expect(message.startsWith(pointer)).toBe(true);
  });
});

describe('every line must balance, and the message points to the line', () => {
  test.each([
    [
      'billed is not allowed plus adjustment',
      line(2, 50, 30, 10, { adjustment: 11 }),
      '/lines/1/amount/billed ',
    ],
    ['allowed is not payer plus patient', line(2, 50, 30, 10, { payer: 31 }), '/lines/1/amount/allowed '],
    [
      'a sum that no amount can hold',
      line(2, 50, 30, 10, { adjustment: Number.MAX_SAFE_INTEGER }),
      '/lines/1/amount/billed ',
    ],
  ])('%s', (_, second, pointer) => {
    const { code, message } = rejection(CLAIM, [line(1, 100, 0, 0), second]);
    expect(code).toBe('adjudication_unbalanced');
    expect(message.startsWith(pointer)).toBe(true);
  });
});

test('the message names every wrong line', () => {
  expect(
    rejection(CLAIM, [line(1, 100, 0, 0, { payer: 1 }), line(2, 50, 30, 10, { adjustment: 11, payer: 31 })])
      .message,
  ).toBe(
    '/lines/0/amount/allowed must be payer plus patient_responsibility; /lines/1/amount/billed must be allowed plus adjustment; /lines/1/amount/allowed must be payer plus patient_responsibility',
  );
  expect(rejection(CLAIM, [line(1, 99, 0, 0), line(3, 50, 30, 10)]).message).toMatch(
    /^\/lines\/0\/amount\/billed .*; \/lines\/1\/line_number .*; \/lines must adjudicate line 2 too$/,
  );
});

test('whatever the amounts, totals balance as lines do and nothing is lost', () => {
  const adjudicated = fc
    .tuple(fc.maxSafeNat(), fc.maxSafeNat(), fc.maxSafeNat())
    .map(([a, b, c]) => [a, b, c].map((part) => Math.floor(part / 200)) as [number, number, number]);
  fc.assert(
    fc.property(fc.array(adjudicated, { minLength: 1, maxLength: 60 }), (parts) => {
      const billed = parts.map(([payer, patient, adjustment]) => payer + patient + adjustment);
      const claim = billed.map((amount, index) => claimLine(index + 1, amount));
      const lines = parts.map(([payer, patient], index) =>
        line(index + 1, billed[index] ?? 0, payer, patient),
      );
      const { totals } = adjudicate(claim, lines);
      expect(totals.payer + totals.patient_responsibility + totals.adjustment).toBe(totals.billed);
      expect(BigInt(totals.billed)).toBe(billed.reduce((sum, amount) => sum + BigInt(amount), 0n));
    }),
  );
});
