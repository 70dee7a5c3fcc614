/** Renders the methods of the Go client: one type per group of operations, with the names of the client for TypeScript. */
import { type Operation, operationList, storesKey } from '@carecover/contract';
import { clientMethods } from '../../../libs/docs-site/src/client-methods';
import {
  comment,
  componentName,
  declarationComment,
  goType,
  HEAD,
  paths,
  type Schema,
  schemas,
} from './description';
import { goName, variableName } from './names';

interface Parameter {
  readonly name?: string;
  readonly in?: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** A method of the Go client and what its operation needs. */
interface Method {
  readonly operation: Operation;
  /** The type of the group of operations, such as `ClaimsService`. */
  readonly group: string;
  readonly name: string;
  readonly description: string;
  readonly ids: readonly Parameter[];
  readonly headers: readonly Parameter[];
  readonly queryParameters: readonly Parameter[];
  readonly queryType: string;
  readonly body: string | undefined;
  readonly response: string;
}

const PAGE_START = 'starting_after';

function bodyTitle(schema: object): string {
  return goName(String(Reflect.get(schema, 'title')));
}

/** @throws TypeError for an operation without a method in the client for TypeScript, or with responses of several types */
function describeMethod(operation: Operation): Method {
  const { id, path, method, success, failures = [], body } = operation;
  const [group, name] = clientMethods.get(id)?.split('.') ?? [];
  if (group === undefined || name === undefined)
    throw new TypeError(`the client for TypeScript does not call ${id}`);
  const responses = new Set([...success, ...failures].map(({ schema }) => bodyTitle(schema)));
  const [response = '', ...others] = responses;
  if (others.length > 0) throw new TypeError(`the responses of ${id} have several types`);
  const described = paths[path]?.[method.toLowerCase()];
  const parameters = described?.parameters as unknown as readonly Parameter[];
  const select = (place: string) => parameters.filter((each) => each.in === place);
  return {
    operation,
    group: `${goName(group)}Service`,
    name: goName(name),
    description: `${operation.summary}.\n\n${described?.description}`,
    ids: select('path'),
    headers: select('header').filter(({ name: header }) => header !== 'Idempotency-Key'),
    queryParameters: select('query'),
    queryType: `${goName(id)}Query`,
    body: body === undefined ? undefined : bodyTitle(body),
    response,
  };
}

const typeOf = ({ schema = {}, name = '' }: Parameter) => goType(schema, goName(name));
const variableOf = ({ name = '' }: Parameter) => variableName(name.replace(/^X-/, ''));

const SETTERS: Readonly<Record<string, string>> = { int: 'setInt', 'time.Time': 'setTime' };

function renderQuery({ queryParameters, queryType, operation }: Method): string {
  const fields = queryParameters.map((each) => {
    const isOptional = each.required !== true;
    const text = `${each.description}${isOptional ? ' Optional.' : ''}`;
    return `${comment(text)}\n${goName(each.name ?? '')} ${typeOf(each)}`;
  });
  const setters = queryParameters.map(
    (each) =>
      `\t${SETTERS[typeOf(each)] ?? 'setText'}(values, "${each.name}", query.${goName(each.name ?? '')})`,
  );
  return `${comment(`${queryType}: the query parameters of ${operation.method} ${operation.path}. A field with the zero value is not sent.`)}
type ${queryType} struct {
${fields.join('\n')}
}

func (query ${queryType}) values() url.Values {
	values := url.Values{}
${setters.join('\n')}
	return values
}
`;
}

function renderArguments({ operation, ids, headers, queryParameters, queryType, body }: Method): string[] {
  return [
    ...ids.map((each) => `${variableOf(each)} ${typeOf(each)}`),
    ...headers.map((each) => `${variableOf(each)} string`),
    ...(queryParameters.length > 0 ? [`query ${queryType}`] : []),
    ...(body === undefined ? [] : [`body ${body}`]),
    ...(operation.upload === undefined ? [] : ['file File']),
  ];
}

function renderMethod(method: Method): string {
  const { operation, group, name, description, ids, headers, queryParameters, body, response } = method;
  const parameters = ['ctx context.Context', ...renderArguments(method), 'options ...CallOption'];
  const [failure] = operation.failures ?? [];
  const members = [
    `method: "${operation.method}"`,
    `path: "${operation.path}"`,
    ...(ids.length > 0
      ? [`ids: []string{${ids.map((each) => `string(${variableOf(each)})`).join(', ')}}`]
      : []),
    ...(headers.length > 0
      ? [
          `headers: map[string]string{${headers.map((each) => `"${each.name}": ${variableOf(each)}`).join(', ')}}`,
        ]
      : []),
    ...(queryParameters.length > 0 ? ['query: query.values()'] : []),
    ...(body === undefined ? [] : ['body: body']),
    ...(operation.upload === undefined ? [] : ['file: &file']),
    ...(storesKey(operation) ? ['isIdempotent: true'] : []),
    ...(failure === undefined ? [] : [`alsoSuccess: ${failure.status}`]),
  ];
  return `${declarationComment(name, description)}
func (service *${group}) ${name}(${parameters.join(', ')}) (*${response}, error) {
	return call[${response}](ctx, service.transport, request{
		${members.join(',\n\t\t')},
	}, options)
}
`;
}

/** Renders the method that returns the items of all pages of a list; nothing for an operation without pages. */
function renderAll(method: Method): string {
  const { group, name, ids, headers, queryParameters, queryType, response } = method;
  if (!queryParameters.some((each) => each.name === PAGE_START)) return '';
  const item = goName(componentName(schemas[response]?.properties?.data?.items?.$ref ?? ''));
  const all = name === 'List' ? 'All' : `All${name}`;
  const parameters = ['ctx context.Context', ...renderArguments(method), 'options ...CallOption'];
  const passed = ['ctx', ...[...ids, ...headers].map(variableOf), 'page', 'options...'];
  return `
${comment(`${all} returns an iterator over every item of every page of ${name}, newest first. After an error it yields the error and ends.`)}
func (service *${group}) ${all}(${parameters.join(', ')}) iter.Seq2[${item}, error] {
	return items(query, func(page ${queryType}) ([]${item}, bool, error) {
		list, err := service.${name}(${passed.join(', ')})
		if err != nil {
			return nil, false, err
		}
		return list.Data, list.HasMore, nil
	}, func(page *${queryType}, last ${item}) { page.${goName(PAGE_START)} = last.ID })
}
`;
}

/** Renders `operations.gen.go`. */
export function renderOperations(): string {
  const methods = operationList.map(describeMethod);
  const groups = [...new Set(methods.map(({ group }) => group))].sort();
  const fieldName = (group: string) => group.replace(/Service$/, '');
  const parts = [
    `${comment('Client: a client of the Carecover API, with one field per group of operations. It is safe for concurrent use.')}
type Client struct {
${groups.map((group) => `\t${fieldName(group)} *${group}`).join('\n')}
}

func newClient(transport *transport) *Client {
	return &Client{
${groups.map((group) => `\t\t${fieldName(group)}: &${group}{transport},`).join('\n')}
	}
}
`,
    ...groups.map(
      (group) =>
        `${comment(`${group}: the operations of the group ${fieldName(group)}.`)}\ntype ${group} struct{ transport *transport }\n`,
    ),
    ...methods.filter(({ queryParameters }) => queryParameters.length > 0).map(renderQuery),
    ...methods.map((method) => `${renderMethod(method)}${renderAll(method)}`),
  ];
  return `${HEAD}\nimport (\n\t"context"\n\t"iter"\n\t"net/url"\n\t"time"\n)\n\n${parts.join('\n')}`;
}
