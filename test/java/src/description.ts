/**
 * The API description as openapi-generator needs it for the Java client. It has the groups and methods of the client for TypeScript as
 * tags and extensions (`x-…`), which the templates in libs/client-java/templates render, and leaves out what is written by hand: headers of
 * all calls, errors, and the choice of the data of an event by its type.
 */
import { type Operation, operationList, storesKey } from '@carecover/contract';
import { openApiDocument } from '@carecover/contract/openapi';
import { clientMethods } from '../../../libs/docs-site/src/client-methods';
import { itemName } from '../../go/src/names';
import { className, constantName, variableName } from './names';

type Json = { [name: string]: unknown };

/** A schema of the API description. */
interface Schema extends Json {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> };
}

interface Parameter {
  readonly name?: string;
  readonly in?: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

const REFERENCE = '#/components/schemas/';
const JSON_TYPE = 'application/json';
const PAGE_START = 'starting_after';

/** The formats that have a Java type. */
const FORMATS = ['int64', 'double', 'date-time'];

/** Fields that contain a secret. The text of an object does not show a field with the format `password`. */
const SECRETS = ['signing_secret', 'token'];

/** The schema of API errors, whose Java class is written by hand. */
const ERROR = 'Error';
const EVENT = 'Event';
const EVENT_DATA = 'EventData';

const document = openApiDocument({ serverUrl: '/v1' });
const described = document.components.schemas as unknown as Readonly<Record<string, Schema>>;

const reference = (name: string): Schema => ({ $ref: `${REFERENCE}${name}` });
const nameOf = ({ $ref = '' }: Schema) => $ref.replace(REFERENCE, '');

/** The schemas that the generator receives, by their names. */
class Schemas {
  readonly byName = new Map<string, Schema>();

  /** @throws TypeError if another schema has the name */
  add(name: string, schema: Schema): Schema {
    const known = this.byName.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new TypeError(`two schemas have the name ${name}`);
    this.byName.set(name, schema);
    return reference(name);
  }

  /**
   * Returns a schema without what the generator would misread. An object without a name becomes a component.
   *
   * @param name the name of the component, if the schema is an object
   * @throws TypeError for a schema without a Java type
   */
  convert(name: string, schema: Schema): Schema {
    const { description } = schema;
    const shared = description === undefined ? {} : { description };
    if (schema.$ref !== undefined) return { $ref: schema.$ref, ...shared };
    if (schema.anyOf !== undefined) {
      const [choice = {}, none] = schema.anyOf;
      if (none?.type !== 'null') throw new TypeError(`${name} has alternatives`);
      return { anyOf: [this.convert(name, choice), { type: 'null' }], ...shared };
    }
    // A request body has the constant as the field's first value.
    if (schema.const !== undefined) return { type: 'string', default: schema.const, ...shared };
    if (schema.enum !== undefined) throw new TypeError(`the enumeration ${name} has no name`);
    if (schema.type === 'array')
      return { type: 'array', items: this.convert(itemName(name), schema.items ?? {}), ...shared };
    if (schema.type === 'object') return this.add(name, this.convertObject(name, schema));
    if (schema.type === undefined) throw new TypeError(`${name} has no type`);
    const format = FORMATS.find((each) => each === schema.format);
    return { type: schema.type, ...(format !== undefined && { format }), ...shared };
  }

  convertObject(name: string, { description = '', properties = {}, required = [] }: Schema): Schema {
    const members = Object.entries(properties).map(([field, schema]): [string, Schema] => [
      field,
      SECRETS.includes(field)
        ? { type: 'string', format: 'password', description: schema.description ?? '' }
        : this.convert(`${name}${className(field)}`, schema),
    ]);
    return { type: 'object', description, properties: Object.fromEntries(members), required };
  }
}

function convertEnumeration({ description = '', enum: values = [] }: Schema): Schema {
  return { type: 'string', description, enum: values, 'x-enum-varnames': values.map(constantName) };
}

/** Adds the one class of all events, and the interface that their data have. */
function addEvents(schemas: Schemas): void {
  const mapping = Object.entries(described[EVENT]?.discriminator?.mapping ?? {});
  const events = mapping.map(([type, target]) => ({
    type,
    model: nameOf(described[nameOf({ $ref: target })]?.properties?.data ?? {}),
  }));
  const [, first = ''] = mapping[0] ?? [];
  const { properties = {}, required = [] } = described[nameOf({ $ref: first })] ?? {};
  const data = {
    ...reference(EVENT_DATA),
    description: 'The data of the event. Its class depends on the type.',
  };
  const type = { ...reference('EventType'), description: 'The type of the event.' };
  schemas.add(
    EVENT,
    schemas.convertObject(EVENT, {
      description: 'An event as it is listed and delivered.',
      properties: { ...properties, type, data },
      required,
    }),
  );
  const models = [...new Set(events.map(({ model }) => model))];
  schemas.add(EVENT_DATA, {
    description: 'The data of an event.',
    oneOf: models.map(reference),
    'x-events': events,
  });
  for (const model of models) implement(schemas, model, EVENT_DATA);
}

/** Says that the class of a schema implements an interface. */
function implement(schemas: Schemas, name: string, interfaceName: string): void {
  schemas.byName.set(name, { ...schemas.byName.get(name), 'x-implements': [interfaceName] });
}

function convertSchemas(): Schemas {
  const schemas = new Schemas();
  const events = (described[EVENT]?.oneOf ?? []).map(nameOf);
  const choices: [string, Schema][] = [];
  for (const [name, schema] of Object.entries(described)) {
    if ([ERROR, EVENT, ...events].includes(name)) continue;
    if (schema.enum !== undefined) schemas.add(name, convertEnumeration(schema));
    else if (schema.oneOf === undefined) schemas.add(name, schemas.convertObject(name, schema));
    else choices.push([name, schema]);
  }
  for (const [name, { description, oneOf = [] }] of choices) {
    const models = oneOf.map(nameOf);
    const text = `${description} One of ${models.join(', ')}.`;
    schemas.add(name, { description: text, oneOf: models.map(reference) });
    for (const model of models) implement(schemas, model, name);
  }
  addEvents(schemas);
  return schemas;
}

/** A method as its template renders it. */
interface Overload {
  /** The declared parameters, such as `String claimId, CancellationInput body`. */
  readonly parameters: string;
  /** The arguments of the method with all parameters. */
  readonly arguments: string;
}

const OPTIONS = { parameter: 'CallOptions options', none: 'new CallOptions()' };

/** Returns the shorter forms of a method: without options, and without a query of which no parameter is required. */
function overloadsOf(parameters: readonly string[], optionalQuery: string | undefined): Overload[] {
  const names = parameters.map((each) => each.replace(/^\w+ /, ''));
  const full = { parameters: parameters.join(', '), arguments: [...names, OPTIONS.none].join(', ') };
  if (optionalQuery === undefined) return [full];
  const withoutQuery = names.map((each) => (each === 'query' ? `new ${optionalQuery}()` : each));
  const kept = parameters.filter((each) => each !== `${optionalQuery} query`);
  return [{ parameters: kept.join(', '), arguments: [...withoutQuery, OPTIONS.none].join(', ') }, full];
}

const variableOf = ({ name = '' }: Parameter) => variableName(name.replace(/^X-/, ''));

/** Adds the class of the query parameters of an operation. Returns its name; undefined for an operation without query parameters. */
function addQuery(schemas: Schemas, { id, method, path }: Operation, parameters: readonly Parameter[]) {
  if (parameters.length === 0) return undefined;
  const name = `${className(id)}Query`;
  const properties = parameters.map(({ name: field = '', description = field, schema = {} }) => [
    field,
    { ...schema, description },
  ]);
  schemas.add(
    name,
    schemas.convertObject(name, {
      description: `The query parameters of ${method} ${path}. One that is not set is not sent.`,
      properties: Object.fromEntries(properties),
      required: parameters.flatMap((each) => (each.required === true ? [each.name ?? ''] : [])),
    }),
  );
  return name;
}

function bodyTitle(schema: object): string {
  return String(Reflect.get(schema, 'title'));
}

/** @throws TypeError for an operation without a method in the client for TypeScript, or with responses of several types */
function convertOperation(schemas: Schemas, operation: Operation): Json {
  const { id, path, method, success, failures = [], body, upload } = operation;
  const [group, name] = clientMethods.get(id)?.split('.') ?? [];
  if (group === undefined || name === undefined)
    throw new TypeError(`the client for TypeScript does not call ${id}`);
  const [response = '', ...others] = new Set(
    [...success, ...failures].map(({ schema }) => bodyTitle(schema)),
  );
  if (others.length > 0) throw new TypeError(`the responses of ${id} have several types`);
  const source = document.paths[path]?.[method.toLowerCase()];
  const parameters = source?.parameters as unknown as readonly Parameter[];
  const select = (place: string) => parameters.filter((each) => each.in === place);
  const ids = select('path');
  const headers = select('header').filter((each) => each.name !== 'Idempotency-Key');
  const query = addQuery(schemas, operation, select('query'));
  const optionalQuery = select('query').some(({ required }) => required === true) ? undefined : query;
  const input = body === undefined ? undefined : bodyTitle(body);
  const declared = [
    ...[...ids, ...headers].map((each) => `String ${variableOf(each)}`),
    ...(query === undefined ? [] : [`${query} query`]),
    ...(input === undefined ? [] : [`${input} body`]),
    ...(upload === undefined ? [] : ['Upload file']),
  ];
  const steps = [
    ...ids.map((each) => `id("${each.name}", ${variableOf(each)})`),
    ...headers.map((each) => `header("${each.name}", ${variableOf(each)})`),
    ...(query === undefined ? [] : ['query(query)']),
    ...(input === undefined ? [] : ['body(body)']),
    ...(upload === undefined ? [] : ['upload(file)']),
    ...(storesKey(operation) ? ['idempotent()'] : []),
    ...failures.map(({ status }) => `alsoSuccess(${status})`),
  ];
  const all = {
    name: name === 'list' ? 'all' : `all${className(name)}`,
    item: nameOf(described[response]?.properties?.data?.items ?? {}),
  };
  return {
    operationId: id,
    tags: [className(group)],
    summary: operation.summary,
    description: source?.description,
    responses: {
      [success[0].status]: {
        description: operation.summary,
        content: { [JSON_TYPE]: { schema: reference(response) } },
      },
    },
    'x-method': name,
    'x-parameters': [...declared, OPTIONS.parameter].join(', '),
    'x-overloads': overloadsOf(declared, optionalQuery),
    'x-request': steps.map((each) => `.${each}`).join(''),
    ...(select('query').some((each) => each.name === PAGE_START) && { 'x-all': all }),
  };
}

/** Returns the API description for the generator. */
export function describeForJava(): Json {
  const schemas = convertSchemas();
  const paths: Record<string, Json> = {};
  for (const operation of operationList) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: convertOperation(schemas, operation) };
  }
  const { openapi, info } = document;
  return { openapi, info, paths, components: { schemas: Object.fromEntries(schemas.byName) } };
}
