/**
 * Runs every example request of the documentation in each of its tabs: curl, and the programs with the clients for TypeScript, Python and
 * Go. All must send the same request. A receiver in place of the API records the requests, because the IDs in the pages do not
 * exist.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type RenderedExample, readExamples } from '../../../libs/docs-site/src/examples';
import { referenceSamples } from '../../../libs/docs-site/src/reference-data';
import { CLIENT as GO_CLIENT, go, hasGo } from '../../go/src/tools';
import { pythonTools } from '../../python/src/tools';
import { ROOT, readPages } from './pages';

const run = promisify(execFile);
const KEY = 'sk_test_example';
const REJECTION = {
  error: { code: 'resource_not_found', message: 'It is recorded.', docs: 'https://localhost/docs' },
};

interface Received {
  readonly method: string | undefined;
  readonly path: string;
  readonly query: unknown;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly hasKey: boolean;
  readonly body: unknown;
}

const examples = readPages('docs/guides').flatMap(({ path, text: page }) =>
  readExamples(page).map((example, index) => [`${path} ${index + 1}: ${example.heading}`, example] as const),
);

const samples = Object.values(referenceSamples());

let server: Server;
let folder: string;
let env: NodeJS.ProcessEnv;
let python: NodeJS.ProcessEnv | null;
/** The program with the calls of all examples in Go; null without Go. */
let goProgram: string | null;
let received: Received[];

/**
 * Returns an instant in one notation, because the programs can write the same instant in different notations. Returns any other JSON value
 * unchanged.
 */
function asInstant(_name: string, value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value;
}

async function record(request: IncomingMessage): Promise<Received> {
  const { method, headers } = request;
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  // The order of query parameters has no meaning, and Go sorts them.
  const query = [...url.searchParams].sort().map(([name, value]) => [name, asInstant(name, value)]);
  const body = await text(request);
  return {
    method,
    path: url.pathname,
    query,
    authorization: headers.authorization,
    contentType: headers['content-type']?.split(';')[0],
    hasKey: /^[\w-]{8,255}$/.test(String(headers['idempotency-key'] ?? '')),
    body: body === '' ? null : JSON.parse(body, asInstant),
  };
}

beforeAll(async () => {
  python = await pythonTools();
  folder = await mkdtemp(join(tmpdir(), 'carecover-examples-'));
  goProgram = (await hasGo())
    ? await buildGo([...examples.map(([, example]) => example.go), ...samples.map(({ go }) => go)])
    : null;
  server = createServer(async (request, response) => {
    received.push(await record(request));
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(REJECTION));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  env = { PATH: process.env.PATH, CARECOVER_URL: url, CARECOVER_KEY: KEY };
}, 300_000);
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** Runs each of the sources. The receiver answers each request with an error. */
async function runTypeScript(sources: readonly string[]): Promise<void> {
  const file = join(folder, 'example.mjs');
  const client = join(ROOT, 'libs/client/dist/esm/index.js');
  await writeFile(
    file,
    `import { Carecover, hasCode } from ${JSON.stringify(client)};
    const { CARECOVER_URL: baseUrl, CARECOVER_KEY: apiKey } = process.env;
    const carecover = new Carecover({ baseUrl, apiKey });
    for (const example of [${sources.map((source) => `async () => {\n${source}\n}`).join(', ')}]) {
      try {
        await example();
      } catch (error) {
        if (!hasCode(error, 'resource_not_found')) throw error;
      }
    }`,
  );
  await run(process.execPath, [file], { env });
}

async function runPython(sources: readonly string[], tools: NodeJS.ProcessEnv): Promise<void> {
  const file = join(folder, 'example.py');
  const functions = sources.map(
    (source, index) => `def example${index}():\n${source.replaceAll(/^/gm, '    ')}\n`,
  );
  await writeFile(
    file,
    `import os
from carecover import Carecover, CarecoverError

carecover = Carecover(os.environ["CARECOVER_URL"], os.environ["CARECOVER_KEY"])

${functions.join('\n')}
for example in [${sources.map((_, index) => `example${index}`).join(', ')}]:
    try:
        example()
    except CarecoverError as error:
        assert error.code == "resource_not_found"
`,
  );
  await run('python', ['-W', 'error', file], {
    env: { ...env, ...tools, PYTHONPATH: join(ROOT, 'libs/client-python') },
  });
}

/**
 * Builds one program with a function for each example, and checks that gofmt would not change them. The arguments of the program are the
 * indices of the examples that it runs.
 */
async function buildGo(sources: readonly string[]): Promise<string> {
  const file = join(folder, 'main.go');
  const functions = sources.map((source, index) => {
    const result = /^(\w+), err/.exec(source)?.[1];
    const use = result === '_' ? '' : `\t_ = ${result}\n`;
    return `func example${index}(ctx context.Context, client *carecover.Client) error {\n${source.replaceAll(/^(?=.)/gm, '\t')}\n${use}\treturn err\n}\n`;
  });
  const names = sources.map((_, index) => `example${index}`).join(', ');
  await writeFile(
    file,
    `package main

import (
	"context"
	"os"
	"strconv"
	"time"

	"carecover.example/carecover"
)

var _ time.Time

func main() {
	client, err := carecover.New(os.Getenv("CARECOVER_URL"), os.Getenv("CARECOVER_KEY"))
	if err != nil {
		panic(err)
	}
	examples := []func(context.Context, *carecover.Client) error{${names}}
	for _, argument := range os.Args[1:] {
		index, _ := strconv.Atoi(argument)
		if err := examples[index](context.Background(), client); !carecover.HasCode(err, carecover.ErrorCodeResourceNotFound) {
			panic(err)
		}
	}
}

${functions.join('\n')}`,
  );
  const { stdout } = await run('gofmt', ['-d', file], { cwd: GO_CLIENT });
  expect(stdout).toBe('');
  const program = join(folder, 'examples');
  await go(['build', '-o', program, file]);
  return program;
}

test('the pages have requests', () => expect(examples.length).toBeGreaterThan(8));

test.each(examples)('%s is the same request in every tab', async (_name, example: RenderedExample) => {
  await run('bash', ['-euc', example.curl], { env });
  await runTypeScript([example.typescript]);
  if (python !== null) await runPython([example.python], python);
  const index = examples.findIndex(([, each]) => each === example);
  if (goProgram !== null) await run(goProgram, [String(index)], { env });
  const [first, ...others] = received;
  const isRead = first?.method === 'GET';
  expect(first).toMatchObject({
    authorization: `Bearer ${KEY}`,
    contentType: isRead ? undefined : 'application/json',
    hasKey: !isRead,
  });
  const tabs = [example.typescript, python, goProgram].filter((tab) => tab !== null);
  expect(others).toEqual(tabs.map(() => first));
});

test('every sample of the reference is the same request in every language', async () => {
  const programs = [
    () => run('bash', ['-euc', samples.map(({ curl }) => curl).join('\n')], { env }),
    () => runTypeScript(samples.map(({ typescript }) => typescript)),
  ];
  const tools = python;
  if (tools !== null)
    programs.push(() =>
      runPython(
        samples.map((each) => each.python),
        tools,
      ),
    );
  const built = goProgram;
  const indices = samples.map((_, index) => String(examples.length + index));
  if (built !== null) programs.push(() => run(built, indices, { env }));
  const recorded: Received[][] = [];
  for (const program of programs) {
    received = [];
    await program();
    recorded.push(received);
  }
  const [first = [], ...others] = recorded;
  expect(first.map(({ method }) => method)).toHaveLength(samples.length);
  for (const each of others) expect(each).toEqual(first);
}, 300_000);
