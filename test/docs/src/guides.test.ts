import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isErrorCode,
  isOperationId,
  type OperationId,
  operationList,
  validateBody,
  validateEvent,
  validateOutput,
} from '@carecover/contract';
import { blocks, inlineCode, page, pagesIn, ROOT } from './pages';
import { valuations } from './render/valuation-timeline';

const guides = pagesIn('docs/guides');

/** Fenced JSON that says what it is: `json request createClaim`, `json event`, `json error`. */
const examples = guides.flatMap(({ path, text }) =>
  [...text.matchAll(/^```json(.*)\n([\s\S]*?)^```$/gm)].map(([, what = '', body = '']) => ({
    path,
    what: what.trim(),
    body: JSON.parse(body),
  })),
);

function problemOf(what: string, body: unknown): unknown {
  const [kind, operation = ''] = what.split(' ');
  if (kind === 'event') return validateEvent(body);
  if (kind === 'request' && isOperationId(operation)) {
    const checked = validateBody(operation as OperationId, body);
    return checked.ok ? undefined : checked.problems;
  }
  if (kind === 'error') return validateOutput('getApi', 503, body);
  return `an example must say what it is, not "${what}"`;
}

test('there are examples', () => expect(examples.length).toBeGreaterThan(10));

test.each(examples.map((each) => [each.path, each.what, each.body] as const))(
  'the example in %s of %s is valid by the contract',
  (_path, what, body) => expect(problemOf(what, body)).toBeUndefined(),
);

test('the valuations from which the timeline is told are valid by the contract', () => {
  expect(valuations().map((body) => validateOutput('getClaimValuation', 200, body))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('what the guides call a code is a code', () => {
  for (const { path, text } of guides) {
    for (const [, code = ''] of text.matchAll(/\b4\d\d `(\w+)`/g))
      expect([path, code, isErrorCode(code)]).toEqual([path, code, true]);
  }
});

test('the page on the sandbox names every operation that is there alone', () => {
  const { text } = page('docs/guides/sandbox.md');
  for (const { method, path, sandboxOnly } of operationList) {
    if (sandboxOnly === true) expect(text).toContain(`\`${method} ${path}\``);
  }
});

const program = page('docs/guides/quick-start.mjs').text;

test('the quick start shows pieces of the program that it runs', () => {
  const pieces = blocks(page('docs/guides/quick-start.md'), 'js');
  expect(pieces.length).toBeGreaterThan(5);
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  for (const piece of pieces) expect(plain(program)).toContain(plain(piece));
});

test("the quick start installs the client as the client's README does", () => {
  const commands = blocks(page('libs/client/README.md'), 'sh').flatMap((block) => block.trim().split('\n'));
  expect(inlineCode(page('docs/guides/quick-start.md'))).toEqual(expect.arrayContaining(commands));
});

test("the quick start's program uses the client rightly", () => {
  const folder = mkdtempSync(join(tmpdir(), 'carecover-quick-start-'));
  try {
    // Checked as TypeScript, so that a field that is missing or misspelt is found.
    writeFileSync(join(folder, 'quick-start.mts'), program.replace('receiver.address().port', 'Number(0)'));
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        typeRoots: [join(ROOT, 'node_modules/@types')],
        types: ['node'],
        noUncheckedIndexedAccess: false,
        paths: { '@carecover/client': [join(ROOT, 'libs/client/src/index.ts')] },
      },
      files: ['quick-start.mts'],
      include: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  } catch (error) {
    throw new Error(String(Reflect.get(Object(error), 'stdout') ?? error));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
