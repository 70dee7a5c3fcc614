/**
 * Attacks the guarantee that no request body of permitted size blocks the event loop: the bounds of an operation's body limit the cost of
 * parsing, validation and error messages.
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
import { StrictJsonReader } from '@carecover/http';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { costlyBodies, costlyBody } from '@carecover/testing/stack';

const RUNS = testSize({ ci: 3, soak: 100 });
/** The maximum number of bytes that are parsed in one turn of the event loop. */
const SLICE_BYTES = 128 * 1024;

const worst = { sliceMs: 0, validationMs: 0, body: '' };
const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * The tested operations. In CI, one operation of each kind is tested: with the largest body, with the most values, with a body that has
 * several alternative schemas, and without a body. A soak run tests every operation.
 */
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
  const { sliceMs, validationMs, body } = worst;
  process.stdout.write(
    `longest steps, CPU: ${sliceMs.toFixed(1)} ms of parsing, ${validationMs.toFixed(1)} ms of validation (${body})\n`,
  );
});

function measureValidation(id: OperationId, value: unknown, earlier: readonly Problem[], name: string) {
  const steps = validateBodyInSteps(id, value, earlier);
  for (;;) {
    const startMs = processorMs();
    const step = steps.next();
    const validationMs = processorMs() - startMs;
    if (validationMs > worst.validationMs) Object.assign(worst, { validationMs, body: name });
    if (step.done === true) return step.value;
  }
}

/**
 * Parses and validates a body as the gateway does. Expects that each parsing step reads less than {@link SLICE_BYTES}, and that the parser
 * stops soon after the permitted number of values. Returns the problems that were found in the body.
 */
function processBody(operation: (typeof operationList)[number], bytes: Buffer, name: string) {
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
  const checked = parsed.isRead
    ? measureValidation(operation.id, parsed.value, parsed.problems, name)
    : parsed;
  return 'ok' in checked && checked.ok ? [] : checked.problems;
}

test.each(Object.keys(costlyBodies))('%s: every step is bounded', (kind) => {
  for (const operation of attacked) {
    const bytes = costlyBodies[kind]?.(operation, operation.bodyLimitBytes) ?? Buffer.alloc(0);
    const problems = processBody(
      operation,
      bytes.subarray(0, operation.bodyLimitBytes),
      `${operation.id}, ${kind}`,
    );
    const message = problemMessage(problems);
    expect(message.split('; ').length).toBeLessThanOrEqual(21);
    expect(message.length).toBeLessThan(16_000);
  }
});

test('random bodies stay within the same limits', () => {
  const generated = fc
    .constantFrom(...operationList)
    .chain((operation) => fc.tuple(fc.constant(operation), costlyBody(operation)));
  fc.assert(
    fc.property(generated, ([operation, bytes]) => void processBody(operation, bytes, operation.id)),
    { numRuns: RUNS * 10 },
  );
});

test('the largest valid batch is accepted in bounded steps', () => {
  const [example] = Reflect.get(CoverageBatchInput, 'examples') as { records: object[] }[];
  const largeRecord = {
    ...example?.records[0],
    plan_name: 'é'.repeat(160),
    record_version: 'é'.repeat(120),
    member_reference: 'm'.repeat(220),
    tenant_reference: 't'.repeat(220),
  };
  const text = JSON.stringify({ ...example, records: Array(500).fill(largeRecord) });
  const bytes = Buffer.from(text + ' '.repeat(BATCH_BODY_LIMIT_BYTES - Buffer.byteLength(text)));
  expect(processBody(operations.createCoverageBatch, bytes, 'a valid batch')).toEqual([]);
});
