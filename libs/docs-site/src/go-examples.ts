/** Renders calls of the Go client. Its generated files are the only source of its methods and types. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './docs-pages';

const CLIENT = join(ROOT, 'libs/client-go');
const operationsText = readFileSync(join(CLIENT, 'operations.gen.go'), 'utf8');
const typesText = readFileSync(join(CLIENT, 'types.gen.go'), 'utf8');

interface Field {
  readonly name: string;
  readonly type: string;
}

interface Method {
  /** The group and the method, such as `Claims.Submit`. */
  readonly name: string;
  /** The types of the arguments after the context and before the options. */
  readonly types: readonly string[];
}

/** Returns the fields of each struct by the name of its type. */
function readStructs(text: string): [string, Field[]][] {
  return [...text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)].map(([, type = '', body = '']) => [
    type,
    [...body.matchAll(/^\t(\w+) +(\S+)/gm)].map(([, name = '', fieldType = '']) => ({
      name,
      type: fieldType,
    })),
  ]);
}

const structs = new Map([...readStructs(typesText), ...readStructs(operationsText)]);

/** The constant of each request body that is one of several, by the name of its type. */
const constants = new Map(
  [...typesText.matchAll(/^func \(body (\w+)\) MarshalJSON\(\)[\s\S]*?\}\{"([^"]+)", fields/gm)].map(
    ([, type = '', constant = '']) => [type, constant],
  ),
);

const METHOD =
  /^func \(service \*(\w+)Service\) (\w+)\(ctx context\.Context, (.*?)options \.\.\.CallOption\).*\n\treturn call\[\w+\].*\n\t\tmethod: +"(\w+)",\n\t\tpath: +"([^"]+)"/gm;

/** The methods by the method and the path of their operations, such as `POST /claims`. */
const methods = new Map<string, Method>(
  [...operationsText.matchAll(METHOD)].map(([, group, name, parameters = '', method, path]) => [
    `${method} ${path}`,
    {
      name: `${group}.${name}`,
      types: [...parameters.matchAll(/\w+ (\S+), /g)].map(([, type = '']) => type),
    },
  ]),
);

/** Returns a type as another package writes it. */
function qualify(type: string): string {
  return type.replace(/^(\W*)([A-Z])/, '$1carecover.$2');
}

/** Returns a name without the differences between a field of the API and a field in Go. */
const plain = (name: string) => name.replaceAll('_', '').toLowerCase();

/** Returns the type of the body among several that has the constant of the JSON value. */
function chooseType(type: string, value: object): string {
  const alternatives = [...typesText.matchAll(new RegExp(`^func \\((\\w+)\\) is${type}\\(\\)`, 'gm'))];
  const found = alternatives.find(([, each = '']) => Object.values(value).includes(constants.get(each)));
  return found?.[1] ?? type;
}

const MONTHS = 'January February March April May June July August September October November December';

function renderInstant(text: string): string {
  const instant = new Date(text);
  const day = [
    instant.getUTCFullYear(),
    `time.${MONTHS.split(' ')[instant.getUTCMonth()]}`,
    instant.getUTCDate(),
  ];
  const time = [instant.getUTCHours(), instant.getUTCMinutes(), instant.getUTCSeconds()];
  return `time.Date(${[...day, ...time, instant.getUTCMilliseconds() * 1_000_000].join(', ')}, time.UTC)`;
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '\t');
}

/** Renders the fields of a struct as gofmt does: it aligns the values of successive fields that have one line. */
function renderFields(fields: readonly (readonly [string, string])[]): string {
  const isShort = (index: number) => fields[index]?.[1].includes('\n') === false;
  const lines = fields.map(([name, value], index) => {
    let [from, to] = [index, index];
    while (isShort(index) && isShort(from - 1)) from -= 1;
    while (isShort(index) && isShort(to + 1)) to += 1;
    const width = Math.max(...fields.slice(from, to + 1).map(([each]) => each.length));
    return `\t${`${name}:`.padEnd(width + 1)} ${indent(value).trimStart()},`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`;
}

/** Renders a JSON object as the fields of a struct. @throws Error for a field that the struct does not have */
function renderStruct(type: string, value: object): string {
  const members = Object.entries(value).filter(([, member]) => member !== constants.get(type));
  return renderFields(
    members.map(([name, member]) => {
      const field = structs.get(type)?.find((each) => plain(each.name) === plain(name));
      if (field === undefined) throw new Error(`the Go type ${type} has no field ${name}`);
      return [field.name, renderValue(field.type, member)];
    }),
  );
}

/** Renders a JSON value as an expression of a type of the client. */
function renderValue(type: string, value: unknown): string {
  if (value === null) return 'nil';
  if (type.startsWith('*')) {
    const target = type.slice(1);
    const rendered = renderValue(target, value);
    if (structs.has(target)) return `&${rendered}`;
    return `carecover.Ptr${target === 'int64' ? '[int64]' : ''}(${rendered})`;
  }
  if (Array.isArray(value)) {
    const item = type.slice(2);
    if (!structs.has(item))
      return `${qualify(type)}{${value.map((each) => renderValue(item, each)).join(', ')}}`;
    return `${qualify(type)}{${value.map((each) => renderStruct(item, each)).join(', ')}}`;
  }
  if (type === 'time.Time') return renderInstant(String(value));
  if (typeof value !== 'object') return JSON.stringify(value);
  const chosen = chooseType(type, value);
  return `${qualify(chosen)}${renderStruct(chosen, value)}`;
}

/**
 * Renders the call of an operation.
 *
 * @param ids the identifiers in the path
 * @param input the body or the query parameters; undefined for a call without them
 * @param result the name of the variable for the response; undefined if the program does not use the response
 * @throws Error for an operation or a field that the client does not have
 */
export function renderGo(
  operation: { readonly method: string; readonly path: string },
  ids: readonly string[],
  input: object | undefined,
  result: string | undefined,
): string {
  const method = methods.get(`${operation.method} ${operation.path}`);
  if (method === undefined)
    throw new Error(`the Go client has no method for ${operation.method} ${operation.path}`);
  // A list without filters has a query without fields.
  const type = method.types[ids.length];
  const args = ['ctx', ...ids.map((each) => JSON.stringify(each))];
  if (type !== undefined) args.push(renderValue(type, input ?? {}));
  return `${result ?? '_'}, err := client.${method.name}(${args.join(', ')})`;
}
