/** The journey through a stack of real servers with two gateways and two of each service, as `npm start -- --replicas 2` walks it. */
import { runJourney } from '@carecover/local/journey';
import { startTestStack, type TestStack } from '@carecover/local/testing';

let testStack: TestStack;

beforeAll(async () => {
  testStack = await startTestStack({ mode: 'local', replicas: 2 });
}, 120_000);
afterAll(async () => {
  await testStack?.stop();
}, 30_000);

function walk(lines: string[]) {
  return runJourney(testStack.stack.file, {
    print: (line) => lines.push(line),
    verifyLedger: async () => {
      await testStack.operator('ledger', 'verify');
    },
  });
}

test('the whole journey reaches its end, and again on the same stack', async () => {
  for (let round = 1; round <= 2; round++) {
    const lines: string[] = [];
    const { valuation, events, claimId } = await walk(lines);
    expect(valuation.status).toBe('settled');
    expect(valuation.amount).toMatchObject({
      payer_liability: 350_000,
      remitted: 350_000,
      settled: 350_000,
      outstanding: 0,
    });
    expect(valuation.events.map(({ type }) => type)).toEqual([
      'created',
      'validated',
      'submitted',
      'queried',
      'evidence_added',
      'resubmitted',
      'partially_approved',
      'remittance_recorded',
      'settled',
      'reconciled',
    ]);
    expect(events).toHaveLength(11);
    expect(lines.at(-1)).toContain(`/workflows/${claimId}`);
    expect(lines.filter((line) => line.includes('failed'))).toEqual([]);
  }
}, 120_000);
