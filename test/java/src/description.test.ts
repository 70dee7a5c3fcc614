/** What can be checked of the Java client without Java. `npm run test:java` builds it and runs it against a stack. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Carecover } from '@carecover/client';
import { repositoryRoot } from '@carecover/setup/repository';
import { describeForJava } from './description';
import { CLIENT, DESCRIPTION } from './tools';

const readClient = (path: string) => readFile(join(CLIENT, path), 'utf8');

interface Described {
  readonly tags: readonly string[];
  readonly 'x-method': string;
}

test('the description for the Java client has the groups and methods of the client for TypeScript', async () => {
  const description = describeForJava();
  if (process.env.CARECOVER_GENERATE === '1')
    await writeFile(DESCRIPTION, `${JSON.stringify(description, null, 2)}\n`);
  const client = new Carecover({ apiKey: 'sk_test_key', baseUrl: 'http://localhost/v1' });
  const { transport: _transport, ...groups } = client;
  const text = await readClient('src/main/java/example/carecover/Carecover.java');
  const written = [...text.matchAll(/^ {2}public \w+Service (\w+)\(\) \{/gm)].map(([, group]) => group);
  expect(written).toEqual(Object.keys(groups).sort());

  const operations = Object.values(description.paths as Record<string, Record<string, Described>>).flatMap(
    (path) => Object.values(path),
  );
  const lowerFirst = (name = '') => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const methods = operations.map((each) => `${lowerFirst(each.tags[0])}.${each['x-method']}`);
  const expected = Object.entries(groups).flatMap(([group, operationsOfGroup]) =>
    Object.keys(operationsOfGroup).map((method) => `${group}.${method}`),
  );
  // Written by hand, from two operations.
  expect([...methods, 'testClock.advanceAndWait'].sort()).toEqual(expected.sort());
});

test('the Java client has the version of all packages, and the generator of the table of generated clients', async () => {
  const { version } = JSON.parse(await readFile(join(repositoryRoot(), 'package.json'), 'utf8'));
  const pom = await readClient('pom.xml');
  expect(/<artifactId>carecover-client<\/artifactId>\s*<version>(.*?)</.exec(pom)?.[1]).toBe(version);
  const path = 'test/contract/src/generated-clients/generators.ts';
  const generators = await readFile(join(repositoryRoot(), path), 'utf8');
  const generator = /OPENAPI_GENERATOR = '(.*)'/.exec(generators)?.[1];
  expect(/<artifactId>openapi-generator-maven-plugin<\/artifactId>\s*<version>(.*?)</.exec(pom)?.[1]).toBe(
    generator,
  );
});

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

test('every excerpt of the README of the Java client is a part of its program', async () => {
  const program = collapseSpaces(await readClient('examples/Readme.java'));
  const blocks = (await readClient('README.md')).matchAll(/```java\n([\s\S]*?)```/g);
  const excerpts = [...blocks].map(([, text = '']) => collapseSpaces(text));
  expect(excerpts.length).toBeGreaterThan(5);
  for (const excerpt of excerpts) expect(program).toContain(excerpt);
});
