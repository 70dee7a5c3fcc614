/**
 * Renders the requests of the pages completely: the method and path, and one tab each for curl, TypeScript, Python, Go and the body. The only
 * source is a JSON block in the page: ```json request <operation>``` with the body of a write, or ```json query <operation>``` with the
 * query parameters of a read. Tests validate every block and run every tab.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_PATH, expandPath, isOperationId, operationList, storesKey } from '@carecover/contract';
import { clientMethods } from './client-methods';
import { ROOT } from './docs-pages';
import { renderGo } from './go-examples';

const PYTHON_FUNCTIONS = join(ROOT, 'libs/client-python/carecover/api');

function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

interface PythonFunction {
  /** The Python module that contains the function, such as `carecover.api.claims`. */
  readonly module: string;
  readonly name: string;
  /** The name of the Python class of the request body; undefined if the operation has no body. */
  readonly model: string | undefined;
  /** The names of the query parameters that are instants. */
  readonly instants: ReadonlySet<string>;
}

/** Returns the functions of the Python client by the operations that they call. */
function readPythonFunctions(): ReadonlyMap<string, PythonFunction> {
  const functions = new Map<string, PythonFunction>();
  for (const folder of readdirSync(PYTHON_FUNCTIONS, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    for (const file of readdirSync(join(PYTHON_FUNCTIONS, folder.name))) {
      const name = file.replace(/\.py$/, '');
      const operation = toCamelCase(name);
      const text = readFileSync(join(PYTHON_FUNCTIONS, folder.name, file), 'utf8');
      const model = /^ {4}body: (\w+)/m.exec(text)?.[1];
      const instants = new Set(
        [...text.matchAll(/^ {4}(\w+): (?:Unset \| )?datetime\.datetime/gm)].map(([, each = '']) => each),
      );
      functions.set(operation, { module: `carecover.api.${folder.name}`, name, model, instants });
    }
  }
  return functions;
}

const pythonFunctions = readPythonFunctions();

/** Renders a JSON value as a TypeScript literal. */
function renderLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replaceAll('"', "'");
}

/** Renders a JSON value as a Python literal. */
function renderPython(value: unknown): string {
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

/** Returns the arguments of the Python client's function for the query parameters of a read. */
function pythonQuery(query: object, { instants }: PythonFunction): string[] {
  return Object.entries(query).map(([name, value]) => {
    const literal = renderPython(value);
    return `${name}=${instants.has(name) ? `datetime.datetime.fromisoformat(${literal})` : literal}`;
  });
}

/** Renders the request of an operation. @throws Error for an operation that the contract or the client does not have */
function renderExample(id: string, input: object): RenderedExample {
  const operation = operationList.find((each) => each.id === id);
  const method = clientMethods.get(id);
  const python = pythonFunctions.get(id);
  if (!isOperationId(id) || operation === undefined || method === undefined || python === undefined)
    throw new Error(`the example of ${id} needs an operation of the contract and a method of each client`);
  const ids: string[] = [];
  const path = expandPath(operation.path, (name) => {
    const example = String(Reflect.get(operation.params, 'properties')[name].examples[0]);
    ids.push(example);
    return example;
  });
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const isRead = operation.method === 'GET';
  const isIdempotent = storesKey(operation);
  // The variable for the response of a creation or a read. Other commands return a resource that has a variable already.
  const result = /^(?:create|get)_(\w+)$/.exec(python.name)?.[1];
  const args = [...ids.map((each) => `'${each}'`), renderLiteral(input)].join(', ');
  return {
    heading: `${operation.method} ${BASE_PATH}${operation.path}`,
    curl: [
      `curl ${isRead ? '--get' : `-X ${operation.method}`} "$CARECOVER_URL${path}"`,
      '-H "Authorization: Bearer $CARECOVER_KEY"',
      ...(isIdempotent ? ['-H "Idempotency-Key: $(node -p \'crypto.randomUUID()\')"'] : []),
      ...(isRead
        ? Object.entries(input).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`)
        : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(input, null, 2))}`]),
    ].join(' \\\n  '),
    typescript: `${result === undefined ? '' : `const ${toCamelCase(result)} = `}await carecover.${method}(${args});`,
    python: [
      ...(isRead && python.instants.size > 0 ? ['import datetime'] : []),
      `from ${python.module} import ${python.name}`,
      ...(python.model === undefined ? [] : [`from carecover.models import ${python.model}`]),
      '',
      `${result === undefined ? '' : `${result} = `}${python.name}(`,
      ...['carecover', ...ids.map((each) => `"${each}"`)].map((each) => `    ${each},`),
      ...(python.model === undefined
        ? pythonQuery(input, python)
        : [`body=${python.model}.from_dict(${renderPython(input)})`]
      ).map((each) => `${indent(each)},`),
      ')',
    ].join('\n'),
    go: renderGo(operation, ids, input, result === undefined ? undefined : toCamelCase(result)),
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
