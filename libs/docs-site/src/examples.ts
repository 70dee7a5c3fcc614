/**
 * Renders the request bodies of the pages as complete requests: the method and path, and one tab each for curl, TypeScript and the body.
 * The only source is the JSON body in the page: ```json request <operation>```. A test validates every body.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_PATH, expandPath, isOperationId, operationList } from '@carecover/contract';
import { ROOT } from './docs-pages';

const RESOURCES = join(ROOT, 'libs/client/src/resources');

/** Returns the methods of the TypeScript client by operation, such as `claims.submit` for `createClaim`. */
function readClientMethods(): ReadonlyMap<string, string> {
  const methods = new Map<string, string>();
  for (const file of readdirSync(RESOURCES)) {
    let group = '';
    let method = '';
    for (const line of readFileSync(join(RESOURCES, file), 'utf8').split('\n')) {
      group = /^export const (\w+) = \(transport/.exec(line)?.[1] ?? group;
      method = /^ {2}(\w+): (?:async )?\(/.exec(line)?.[1] ?? method;
      const operation =
        /transport\.(?:call|list)\(\s*'(\w+)'/.exec(line)?.[1] ?? /^ {4,8}'(\w+)',$/.exec(line)?.[1];
      if (operation !== undefined) methods.set(operation, `${group}.${method}`);
    }
  }
  return methods;
}

const clientMethods = readClientMethods();
/** Renders a JSON value as a TypeScript literal. */
function renderLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replaceAll('"', "'");
}

interface RenderedExample {
  readonly heading: string;
  readonly curl: string;
  readonly typescript: string;
}

/** Renders the request of an operation. @throws Error for an operation that the contract or the client does not have */
function renderExample(id: string, body: unknown): RenderedExample {
  const operation = operationList.find((each) => each.id === id);
  const method = clientMethods.get(id);
  if (!isOperationId(id) || operation === undefined || method === undefined)
    throw new Error(`the example of ${id} needs an operation of the contract and a method of the client`);
  const ids: string[] = [];
  const path = expandPath(operation.path, (name) => {
    const example = String(Reflect.get(operation.params, 'properties')[name].examples[0]);
    ids.push(example);
    return example;
  });
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  const isIdempotent = ['required', 'optional'].includes(operation.idempotencyKey);
  const args = [...ids.map((each) => `'${each}'`), renderLiteral(body)].join(', ');
  return {
    heading: `${operation.method} ${BASE_PATH}${operation.path}`,
    curl: [
      `curl -X ${operation.method} "$CARECOVER_URL${path}" \\`,
      '  -H "Authorization: Bearer $CARECOVER_KEY" \\',
      ...(isIdempotent ? ['  -H "Idempotency-Key: $(uuidgen)" \\'] : []),
      "  -H 'Content-Type: application/json' \\",
      `  -d '${json}'`,
    ].join('\n'),
    typescript: `await carecover.${method}(${args});`,
  };
}

const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\``;

/** Replaces the request bodies in the Markdown of a page by tabs. */
export function renderExamples(markdown: string): string {
  return markdown.replaceAll(/^```json request (\w+)\n([\s\S]*?)^```$/gm, (_, id: string, text: string) => {
    const example = renderExample(id, JSON.parse(text));
    return [
      `\`${example.heading}\``,
      '',
      '::: code-group',
      '',
      fence('sh [curl]', example.curl),
      '',
      fence('ts [TypeScript]', example.typescript),
      '',
      fence('json [Body]', text.trimEnd()),
      '',
      ':::',
    ].join('\n');
  });
}
