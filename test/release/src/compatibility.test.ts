/** Checks the promises of docs/guides/versioning.md by comparing the last tagged release with the working tree. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@carecover/contract/openapi';
import { describeRelease, findBreakingChanges, lastRelease, ROOT } from './api-description';

/** A JSON value whose content the tests change. */
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has no narrower type here.
type Json = any;

const today = (): Json => JSON.parse(JSON.stringify(openApiDocument({ serverUrl: '/v1' })));
const git = (cwd: string, ...args: string[]) => promisify(execFile)('git', args, { cwd });

test('the API breaks no client of the last release', async () => {
  const tag = await lastRelease();
  if (tag === undefined) {
    process.stdout.write('There is no release tag yet, so that there is nothing to compare.\n');
    expect((await git(ROOT, 'tag', '--list', 'v*')).stdout).toBe('');
    return;
  }
  expect(await findBreakingChanges(await describeRelease(tag), today())).toEqual([]);
}, 180_000);

test('the description of a tagged release is rendered from its sources', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'carecover-tagged-'));
  try {
    await git(ROOT, 'clone', '--quiet', ROOT, clone);
    for (const tag of ['v0.9.0', 'v0.10.0', 'v1.0.0-rc.1', 'vacation']) await git(clone, 'tag', tag);
    expect(await lastRelease(clone)).toBe('v0.10.0');
    const description: Json = await describeRelease('v0.10.0', clone);
    expect(description).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/v1' }] });
    expect(Object.keys(description.paths)).toContain('/claims');
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}, 60_000);

const schemaOf = (content: Json, document: Json): Json => {
  const { schema } = content['application/json'];
  return schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)];
};
const bodyOf = (document: Json, path: string): Json =>
  schemaOf(document.paths[path].post.requestBody.content, document);
const responseOf = (document: Json, path: string, status: string): Json =>
  schemaOf(document.paths[path].get.responses[status].content, document);

const added = { type: 'string' };

const BREAKING: [string, (document: Json) => void][] = [
  ['an operation is removed', (document) => delete document.paths['/claims'].post],
  [
    'an input field becomes required',
    (document) => {
      const body = bodyOf(document, '/claims');
      body.properties.made_up = { type: 'string' };
      body.required = [...(body.required ?? []), 'made_up'];
    },
  ],
  [
    'a response loses a field',
    (document) => {
      const claim = responseOf(document, '/claims/{claim_id}', '200');
      delete claim.properties.status;
      claim.required = claim.required.filter((name: string) => name !== 'status');
    },
  ],
  [
    'a response gets a field',
    (document) => {
      const claim = responseOf(document, '/claims/{claim_id}', '200');
      claim.properties.made_up = added;
      claim.required.push('made_up');
    },
  ],
  [
    'a response gets an optional field',
    (document) => {
      responseOf(document, '/claims/{claim_id}', '200').properties.made_up = added;
    },
  ],
  [
    'the status of a resource gets a value',
    (document) => document.components.schemas.ClaimStatus.enum.push('made_up'),
  ],
  [
    'an item of a list gets a field',
    (document) => {
      const { data } = responseOf(document, '/valuation_runs', '200').properties;
      document.components.schemas[data.items.$ref.split('/').at(-1)].properties.made_up = added;
    },
  ],
  [
    'a field of a response has another type',
    (document) => {
      responseOf(document, '/claims/{claim_id}', '200').properties.status = { type: 'integer' };
    },
  ],
];

test.each(BREAKING)(
  'it is found if %s',
  async (_, change) => {
    const after = today();
    change(after);
    expect(await findBreakingChanges(today(), after)).not.toEqual([]);
  },
  180_000,
);

const ALLOWED: [string, (document: Json) => void][] = [
  ['an operation is added', (document) => (document.paths['/made-up'] = document.paths['/claims'])],
  [
    'an optional input field is added',
    (document) => {
      bodyOf(document, '/claims').properties.made_up = { type: 'string' };
    },
  ],
  ['an event type is added', (document) => document.components.schemas.EventType.enum.push('claim.made_up')],
  ['an error code is added', (document) => document.components.schemas.ErrorCode.enum.push('made_up')],
  [
    'a value of an enumeration is added',
    (document) => document.components.schemas.EligibilityReasonCode.enum.push('made_up'),
  ],
];

test.each(ALLOWED)(
  'it is compatible if %s',
  async (_, change) => {
    const after = today();
    change(after);
    expect(await findBreakingChanges(today(), after)).toEqual([]);
  },
  180_000,
);
