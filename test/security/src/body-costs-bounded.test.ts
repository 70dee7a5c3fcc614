/**
 * Attacks the guarantee that a permitted body never holds the event loop, whatever is in it: what is read of it, what is made of
 * it and what is said about it is bounded by what its operation could accept.
 */
import {
  BATCH_BODY_LIMIT_BYTES,
  bodyBounds,
  CoverageBatchInput,
  compileValidators,
  type OperationId,
  operationList,
  operations,
  type Problem,
  problemMessage,
  validateBodyInSteps,
} from '@carecover/contract';
import { fc } from '@carecover/local/properties';
import { testSize } from '@carecover/local/testing';
import { StrictJsonReader } from '@carecover/platform';
import { costlyBodies, costlyBody } from '@carecover/test-support';

const RUNS = testSize({ ci: 3, soak: 100 });
/** Of one turn of the event loop. */
const SLICE_BYTES = 128 * 1024;

const worst = { sliceMs: 0, validationMs: 0, what: '' };
const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The largest body, the most values, a choice of shapes, and none; all of them where there is time. */
const attacked = testSize({
  ci: [
    operations.createCoverageBatch,
    operations.adjudicateClaim,
    operations.decidePreauthorization,
    operations.rotateWebhookSecret,
  ],
  soak: operationList,
});

beforeAll(compileValidators);
afterAll(() => {
  const { sliceMs, validationMs, what } = worst;
  process.stdout.write(
    `longest steps, CPU: ${sliceMs.toFixed(1)} ms of reading, ${validationMs.toFixed(1)} ms of validation (${what})\n`,
  );
});

function validate(id: OperationId, value: unknown, earlier: readonly Problem[], what: string) {
  const steps = validateBodyInSteps(id, value, earlier);
  for (;;) {
    const startMs = processorMs();
    const step = steps.next();
    const validationMs = processorMs() - startMs;
    if (validationMs > worst.validationMs) Object.assign(worst, { validationMs, what });
    if (step.done === true) return step.value;
  }
}

/** Reads and validates a body as the gateway does, and holds each step to its bounds. */
function work(operation: (typeof operationList)[number], bytes: Buffer, what: string) {
  const bounds = bodyBounds(operation);
  const reader = new StrictJsonReader(bytes, bounds);
  let parsed: ReturnType<StrictJsonReader['readSlice']>;
  let longest = 0;
  while (parsed === undefined) {
    const before = reader.position;
    const startMs = processorMs();
    parsed = reader.readSlice();
    worst.sliceMs = Math.max(worst.sliceMs, processorMs() - startMs);
    longest = Math.max(longest, reader.position - before);
  }
  expect(longest).toBeLessThan(SLICE_BYTES);
  expect(reader.values).toBeLessThan(bounds.values + 200);
  const checked = parsed.isRead ? validate(operation.id, parsed.value, parsed.problems, what) : parsed;
  return 'ok' in checked && checked.ok ? [] : checked.problems;
}

test.each(Object.keys(costlyBodies))('%s: one step of work is bounded', (kind) => {
  for (const operation of attacked) {
    const bytes = costlyBodies[kind]?.(operation, operation.bodyLimitBytes) ?? Buffer.alloc(0);
    const problems = work(operation, bytes.subarray(0, operation.bodyLimitBytes), `${operation.id}, ${kind}`);
    const message = problemMessage(problems);
    expect(message.split('; ').length).toBeLessThanOrEqual(21);
    expect(message.length).toBeLessThan(16_000);
  }
});

test('a body of any size and shape costs no more', () => {
  const drawn = fc
    .constantFrom(...operationList)
    .chain((operation) => fc.tuple(fc.constant(operation), costlyBody(operation)));
  fc.assert(
    fc.property(drawn, ([operation, bytes]) => void work(operation, bytes, operation.id)),
    { numRuns: RUNS * 10 },
  );
});

test('the largest batch that is valid is taken, in bounded steps', () => {
  const [example] = Reflect.get(CoverageBatchInput, 'examples') as { records: object[] }[];
  const fat = {
    ...example?.records[0],
    plan_name: 'é'.repeat(160),
    record_version: 'é'.repeat(120),
    member_reference: 'm'.repeat(220),
    tenant_reference: 't'.repeat(220),
  };
  const text = JSON.stringify({ ...example, records: Array(500).fill(fat) });
  const bytes = Buffer.from(text + ' '.repeat(BATCH_BODY_LIMIT_BYTES - Buffer.byteLength(text)));
  expect(work(operations.createCoverageBatch, bytes, 'a valid batch')).toEqual([]);
});
