import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BulkJobKind,
  bulkJobKinds,
  isErrorCode,
  isOperationId,
  type OperationId,
  operationList,
  validateBody,
  validateBulkLine,
  validateEvent,
  validateOutput,
  validateQuery,
} from '@carecover/contract';
import { readExamples } from '../../../libs/docs-site/src/examples';
import { extractBlocks, extractInlineCode, ROOT, readPage, readPages } from './pages';
import { valueAtCutoffs } from './render/valuation-timeline';

const guides = readPages('docs/guides');

/** The examples in fenced JSON blocks. Their info string is `json request <operation>`, `json query <operation>`, `json line <kind>`, `json event` or `json error`. */
const examples = guides.flatMap(({ path, text }) =>
  [...text.matchAll(/^```json(.*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', body = '']) => ({
    path,
    kind: kind.trim(),
    body: JSON.parse(body),
  })),
);

function isBulkJobKind(text: string): text is BulkJobKind {
  return bulkJobKinds.some((kind) => kind === text);
}

function findProblem(info: string, body: unknown): unknown {
  const [kind, operation = ''] = info.split(' ');
  if (kind === 'event') return validateEvent(body);
  if (kind === 'request' && isOperationId(operation)) {
    const checked = validateBody(operation as OperationId, body);
    return checked.ok ? undefined : checked.problems;
  }
  if (kind === 'query' && isOperationId(operation)) {
    const checked = validateQuery(operation, body as Record<string, string>);
    return checked.ok ? undefined : checked.problems;
  }
  if (kind === 'line' && isBulkJobKind(operation)) {
    const checked = validateBulkLine(operation, body);
    return checked.ok ? undefined : checked.problems;
  }
  if (kind === 'error') return validateOutput('getApi', 503, body);
  return `the info string must be "json request <operation>", "json query <operation>", "json line <kind>", "json event" or "json error", not "json ${info}"`;
}

test('the guides have examples', () => expect(examples.length).toBeGreaterThan(10));

test.each(examples.map((each) => [each.path, each.kind, each.body] as const))(
  'in %s, the example "%s" is valid by the contract',
  (_path, kind, body) => expect(findProblem(kind, body)).toBeUndefined(),
);

test('the valuations of the timeline are valid by the contract', () => {
  expect(valueAtCutoffs().map((body) => validateOutput('getClaimValuation', 200, body))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('every error code in the guides exists', () => {
  for (const { path, text } of guides) {
    for (const [, code = ''] of text.matchAll(/\b4\d\d `(\w+)`/g))
      expect([path, code, isErrorCode(code)]).toEqual([path, code, true]);
  }
});

test('the page about the sandbox names every sandbox-only operation', () => {
  const { text } = readPage('docs/guides/sandbox.md');
  for (const { method, path, sandboxOnly } of operationList) {
    if (sandboxOnly === true) expect(text).toContain(`\`${method} ${path}\``);
  }
});

const program = readPage('docs/guides/quick-start.mjs').text;

test('every excerpt in the quick start is part of its program', () => {
  const excerpts = extractBlocks(readPage('docs/guides/quick-start.md'), 'js');
  expect(excerpts.length).toBeGreaterThan(3);
  const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  for (const excerpt of excerpts) expect(collapseSpaces(program)).toContain(collapseSpaces(excerpt));
});

test('the quick start creates the client for Python as its program does', () => {
  const [excerpt = '', ...others] = extractBlocks(readPage('docs/guides/quick-start.md'), 'python');
  const lines = readPage('docs/guides/quick-start.py').text.split('\n');
  expect([excerpt.split('\n').filter((line) => !lines.includes(line)), others]).toEqual([[], []]);
  expect(excerpt).toContain('carecover = Carecover(');
  const [install = '', create = ''] = ['sh', 'python'].map(
    (language) => extractBlocks(readPage('docs/guides/python.md'), language)[0],
  );
  expect(extractBlocks(readPage('libs/client-python/README.md'), 'sh')).toContain(install);
  expect(create.replace('import Carecover', 'import Carecover, verify_webhook')).toBe(excerpt);
});

test('the quick start creates the client for Go as its program does, and installs it as its README does', () => {
  const [excerpt = '', ...others] = extractBlocks(readPage('docs/guides/quick-start.md'), 'go');
  expect(others).toEqual([]);
  expect(readPage('docs/guides/quick-start.go').text).toContain(excerpt.trim());
  const page = readPage('docs/guides/go.md');
  expect(extractBlocks(page, 'go')).toEqual([excerpt]);
  expect(extractBlocks(readPage('libs/client-go/README.md'), 'sh')).toEqual(extractBlocks(page, 'sh'));
});

test('the guide for Java installs the client as its README does', () => {
  const [install] = extractBlocks(readPage('docs/guides/java.md'), 'sh');
  expect(extractBlocks(readPage('libs/client-java/README.md'), 'sh')).toEqual([install]);
});

test('the requests of the quick start are the calls of its program, in the same order', () => {
  const requests = readExamples(readPage('docs/guides/quick-start.md').text);
  const findCalls = (text: string) => [...text.matchAll(/await carecover\.\w+\.\w+/g)].map(([call]) => call);
  const methods = requests.flatMap(({ typescript }) => findCalls(typescript));
  expect(methods.length).toBeGreaterThan(8);
  // The program requests two valuations, and the page has one request for both.
  const calls = [...new Set(findCalls(program))];
  expect(calls.filter((call) => methods.includes(call))).toEqual(methods);
});

test('the programs of a creation or a read assign the response to a variable, and those of another command do not', () => {
  const requests = readExamples(readPage('docs/guides/quick-start.md').text);
  const variables = requests.map(({ typescript, python }) => [
    /^const (\w+) =/.exec(typescript)?.[1],
    /^(\w+) = carecover\./m.exec(python)?.[1],
  ]);
  expect(variables).toContainEqual(['eligibilityCheck', 'eligibility_check']);
  expect(variables).toContainEqual(['claimValuation', 'claim_valuation']);
  expect(variables.filter(([typescript]) => typescript === undefined)).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test("the quick start installs the client as the client's README does", () => {
  const commands = extractBlocks(readPage('libs/client/README.md'), 'sh').flatMap((block) =>
    block.trim().split('\n'),
  );
  expect(extractInlineCode(readPage('docs/guides/quick-start.md'))).toEqual(expect.arrayContaining(commands));
});

test('the programs of the guides and the code of the start page type-check against the client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carecover-quick-start-'));
  try {
    // The programs are JavaScript. They get the file extension of TypeScript, so that the compiler finds missing and
    // misspelt fields.
    const [code = ''] = extractBlocks(readPage('docs/guides/README.md'), 'js');
    expect(code.trim().split('\n')).toHaveLength(10);
    writeFileSync(join(folder, 'quick-start.mts'), `${program}\n{\n${code}}\n`);
    writeFileSync(join(folder, 'test-clocks.mts'), readPage('docs/guides/test-clocks.mjs').text);
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        typeRoots: [join(ROOT, 'node_modules/@types')],
        types: ['node'],
        paths: { '@carecover/client': [join(ROOT, 'libs/client/src/index.ts')] },
      },
      files: ['quick-start.mts', 'test-clocks.mts'],
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

test('the excerpts about test clocks are part of the program and of its golden file', () => {
  const page = readPage('docs/guides/test-clocks.md');
  const excerpts = ['js', 'text'].map((language) => extractBlocks(page, language));
  expect(excerpts).toEqual([[expect.any(String)], [expect.any(String)]]);
  const texts = ['test-clocks.mjs', 'test-clocks.golden.txt'].map(
    (file) => readPage(`docs/guides/${file}`).text,
  );
  for (const [index, [excerpt = '']] of excerpts.entries()) expect(texts[index]).toContain(excerpt.trim());
});
