/**
 * Renders the requests of the pages completely: the method and path, and one tab each for curl, TypeScript, Python, Go and the body. The only
 * source is a JSON block in the page: ```json request <operation>``` with the body of a write, or ```json query <operation>``` with the
 * query parameters of a read. Tests validate every block and run every tab.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_PATH, expandPath, operationList, storesKey } from '@carecover/contract';
import { clientMethods } from './client-methods';
import { renderGo } from './go-examples';

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names of query parameters that are words of Python. The Python client appends an underscore. */
const PYTHON_WORDS: ReadonlySet<string> = new Set(['from', 'format', 'type']);

/** Renders a value as JSON with an array of texts or numbers in one line. */
function renderJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /\[\n\s+([^[\]{}]+?)\n\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/\n\s+/g, ' ')}]`,
  );
}

/** Renders a JSON value as a TypeScript literal. */
function renderLiteral(value: unknown): string {
  return renderJson(value)
    .replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replaceAll('"', "'");
}

/** Renders a JSON value as a Python literal. */
function renderPython(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return `[${value.map(renderPython).join(', ')}]`;
  if (Array.isArray(value)) return `[${value.map((each) => `\n${indent(renderPython(each))},`).join('')}\n]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `\n${indent(`"${name}": ${renderPython(member)}`)},`,
    );
    return `{${members.join('')}\n}`;
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

/** A request in the languages of its tabs. */
export interface RenderedExample {
  readonly heading: string;
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
  readonly go: string;
}

/** Renders the arguments of a call in Python: one per line if they are long. */
function renderArguments(args: readonly string[]): string {
  const line = args.join(', ');
  const isShort = line.length < 50 || args.some((each) => each.includes('\n'));
  return isShort ? `(${line})` : `(${args.map((each) => `\n    ${each},`).join('')}\n)`;
}

/** Returns the name of the variable for the response of an operation; undefined if a program has the resource already. */
function nameResult(id: string): string | undefined {
  if (id.startsWith('list')) return 'page';
  const [, resource] = /^(?:create|get)(\w+)$/.exec(id) ?? [];
  return resource && resource.charAt(0).toLowerCase() + resource.slice(1);
}

/**
 * Renders the request of an operation.
 *
 * @param input the body of a write or the query parameters of a read; undefined for a request without them
 * @throws Error for an operation that the contract or a client does not have
 */
export function renderExample(id: string, input: object | undefined): RenderedExample {
  const operation = operationList.find((each) => each.id === id);
  const method = clientMethods.get(id);
  if (operation === undefined || method === undefined)
    throw new Error(`the example of ${id} needs an operation of the contract and a method of each client`);
  const ids: string[] = [];
  const path = expandPath(operation.path, (name) => {
    const example = String(Reflect.get(operation.params, 'properties')[name].examples[0]);
    ids.push(example);
    return example;
  });
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const isRead = operation.method === 'GET';
  const query = isRead ? Object.entries(input ?? {}) : [];
  const body = isRead ? undefined : input;
  const result = nameResult(id);
  const args = [...ids.map((each) => `'${each}'`), ...(input === undefined ? [] : [renderLiteral(input)])];
  const pythonArgs = [
    ...ids.map((each) => `"${each}"`),
    ...(body === undefined ? [] : [renderPython(body)]),
    ...query.map(([name, value]) => `${name}${PYTHON_WORDS.has(name) ? '_' : ''}=${renderPython(value)}`),
  ];
  const assigned = (name: string) => (result === undefined ? '' : name);
  return {
    heading: `${operation.method} ${BASE_PATH}${operation.path}`,
    curl: [
      `curl ${isRead ? (query.length === 0 ? '' : '--get ') : `-X ${operation.method} `}"$CARECOVER_URL${path}"`,
      '-H "Authorization: Bearer $CARECOVER_KEY"',
      ...(storesKey(operation) ? ['-H "Idempotency-Key: $(node -p \'crypto.randomUUID()\')"'] : []),
      ...query.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`),
      ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(renderJson(body))}`]),
    ].join(' \\\n  '),
    typescript: `${assigned(`const ${result} = `)}await carecover.${method}(${args.join(', ')});`,
    python: `${assigned(`${toSnakeCase(String(result))} = `)}carecover.${toSnakeCase(method)}${renderArguments(pythonArgs)}`,
    go: renderGo(operation, ids, input, result),
  };
}

/** A request in a page: `request` or `query`, the operation, and the JSON text of the body or of the query parameters. */
const REQUEST_BLOCK = /^```json (request|query) (\w+)\n([\s\S]*?)^```$/gm;

/** Returns the requests in the Markdown of a page. */
export function readExamples(markdown: string): RenderedExample[] {
  return [...markdown.matchAll(REQUEST_BLOCK)].map(([, , id = '', text = '']) =>
    renderExample(id, JSON.parse(text)),
  );
}

/** The language for highlighting a program, by the extension of the program's file. */
const LANGUAGES: Readonly<Record<string, string>> = { mjs: 'js', py: 'python', go: 'go' };

/** A link to a program that is a line of its own, such as `[Python](receivers/python.py)`. */
const PROGRAM_LINK = /^\[([^\]]+)\]\((\w[\w/-]*\.(mjs|py|go))\)$/;

/**
 * Replaces paragraphs that consist of links to programs by tabs with the programs.
 *
 * @param folder the folder of the page and the programs
 */
export function renderPrograms(markdown: string, folder: string): string {
  return markdown
    .split(/\n{2,}/)
    .map((paragraph) => {
      const links = paragraph.split('\n').map((line) => PROGRAM_LINK.exec(line.trim()));
      if (links.some((link) => link === null)) return paragraph;
      const tabs = links.flatMap((link) => {
        const [, label = '', file = '', ending = ''] = link ?? [];
        const text = readFileSync(join(folder, file), 'utf8').trimEnd();
        return ['', fence(`${LANGUAGES[ending]} [${label}]`, text)];
      });
      return ['::: code-group', ...tabs, '', ':::'].join('\n');
    })
    .join('\n\n');
}

const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\``;

/** Replaces the requests in the Markdown of a page by tabs. */
export function renderExamples(markdown: string): string {
  return markdown.replaceAll(REQUEST_BLOCK, (_, kind: string, id: string, text: string) => {
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
      fence('python [Python]', example.python),
      '',
      fence('go [Go]', example.go),
      '',
      ...(kind === 'request' ? [fence('json [Body]', text.trimEnd()), ''] : []),
      ':::',
    ].join('\n');
  });
}
