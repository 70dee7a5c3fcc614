/** Renders the types of the Go client: identifiers, enumerations, resources, request bodies and events. */
import { type IdentifierKind, identifierNouns, identifierPrefixes, operationList } from '@carecover/contract';
import {
  comment,
  componentName,
  declarationComment,
  goType,
  HEAD,
  idTypeName,
  type Schema,
  schemas,
} from './description';
import { goName } from './names';

/** The schema whose alternatives are the events. The Go client has one type for all events. */
const EVENT = 'Event';
/** The schema of API errors, whose Go type is written by hand. */
const ERROR = 'Error';

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref') yield componentName(String(member));
    else yield* referencesIn(member);
  }
}

/** Returns the names of the schemas of request bodies and of their parts. */
function requestNames(): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    for (const each of referencesIn(schemas[name])) add(each);
  };
  for (const { body } of operationList) if (body !== undefined) add(String(Reflect.get(body, 'title')));
  return names;
}

function renderIdTypes(): string[] {
  return (Object.keys(identifierPrefixes) as IdentifierKind[]).map((kind) => {
    const name = idTypeName(kind);
    const text = `the identifier of a resource of the kind ${identifierNouns[kind]}. It starts with ${identifierPrefixes[kind]}.`;
    return `${comment(`${name}: ${text}`)}\ntype ${name} string\n`;
  });
}

function renderEnumeration(name: string, { description = '', enum: values = [] }: Schema): string {
  const constants = values.map(
    (value) => `\t${name}${value === '*' ? 'All' : goName(value)} ${name} = ${JSON.stringify(value)}`,
  );
  return `${declarationComment(name, description)}\ntype ${name} string\n\nconst (\n${constants.join('\n')}\n)\n`;
}

/** The fields with a constant value, which a request body always has. They are no fields of the Go type. */
function constantsOf({ properties = {} }: Schema): [string, string][] {
  return Object.entries(properties).flatMap(([name, { const: value }]) =>
    value === undefined ? [] : [[name, value]],
  );
}

/** The texts of the objects without a name of their own that were rendered until now, by their Go names. */
const inline = new Map<string, string>();

/** Returns the type of a field that can be absent. The zero value of a text, an instant, a list or false is absent. */
function optionalType(type: string): string {
  const plain = type.replace(/^\*/, '');
  const isNumberOrObject = /^(int|int64|float64)$/.test(plain) || schemas[plain]?.type === 'object';
  return isNumberOrObject || inline.has(plain) ? `*${plain}` : plain;
}

/** Renders objects. A request body has no fields for its constants. */
class Structs {
  constructor(private readonly isRequest: boolean) {}

  render(name: string, schema: Schema): string {
    const constants = this.isRequest ? constantsOf(schema) : [];
    const omitted = new Set(constants.map(([each]) => each));
    const fields = Object.entries(schema.properties ?? {})
      .filter(([each]) => !omitted.has(each))
      .map(([each, member]) => this.renderField(name, schema, each, member));
    const head = declarationComment(name, schema.description ?? '');
    const struct = `${head}\ntype ${name} struct {\n${fields.join('\n')}\n}\n`;
    return constants.length === 0 ? struct : `${struct}\n${renderMarshal(name, constants)}`;
  }

  renderField(parent: string, schema: Schema, name: string, member: Schema): string {
    const type = goType(member, `${parent}${goName(name)}`, (each, object) => this.declare(each, object));
    const isRequired = schema.required?.includes(name) === true;
    const tag = `\`json:"${name}${isRequired ? '' : ',omitzero'}"\``;
    const field = `${goName(name)} ${isRequired ? type : optionalType(type)} ${tag}`;
    return `${comment(member.description ?? name)}\n${field}`;
  }

  /** @throws TypeError if another type has the name */
  private declare(name: string, schema: Schema): void {
    const text = this.render(name, schema);
    if (schemas[name] !== undefined || (inline.get(name) ?? text) !== text)
      throw new TypeError(`two types have the name ${name}`);
    inline.set(name, text);
  }
}

function renderMarshal(name: string, constants: readonly [string, string][]): string {
  const members = constants.map(([each]) => `${goName(each)} string \`json:"${each}"\``);
  const values = constants.map(([, value]) => JSON.stringify(value));
  return `// MarshalJSON adds the fields that always have the same value.
func (body ${name}) MarshalJSON() ([]byte, error) {
	type fields ${name}
	return json.Marshal(struct {
		${members.join('\n')}
		fields
	}{${values.join(', ')}, fields(body)})
}
`;
}

/** Renders a choice of request bodies as an interface that only they have. */
function renderChoice(name: string, { description = '', oneOf = [] }: Schema): string {
  const alternatives = oneOf.map(({ $ref = '' }) => goName(componentName($ref)));
  const marker = `is${name}`;
  return [
    `${declarationComment(name, `${description} One of ${alternatives.join(', ')}.`)}\ntype ${name} interface{ ${marker}() }\n`,
    ...alternatives.map((each) => `func (${each}) ${marker}() {}\n`),
  ].join('\n');
}

/** Renders the type of all events, which have the same fields but for the data, and the types of their data. */
function renderEvent(): string {
  const mapping = Object.entries(schemas[EVENT]?.discriminator?.mapping ?? {});
  const dataTypes = mapping.map(([type, reference]): [string, string] => {
    const data = schemas[componentName(reference)]?.properties?.data?.$ref ?? '';
    return [type, goName(componentName(data))];
  });
  const [, first = ''] = mapping[0] ?? [];
  const structs = new Structs(false);
  const { properties = {}, required = [] } = schemas[componentName(first)] ?? {};
  const fields = Object.entries(properties)
    .filter(([name]) => name !== 'data')
    .map(([name, member]) => {
      const type = name === 'type' ? { ...member, $ref: '#/components/schemas/EventType' } : member;
      return structs.renderField(EVENT, { required }, name, type);
    });
  const names = [...new Set(dataTypes.map(([, name]) => name))];
  const cases = names.map((name) => {
    const types = dataTypes.filter(([, each]) => each === name).map(([type]) => `EventType${goName(type)}`);
    return `\tcase ${types.join(', ')}:\n\t\treturn new(${name})`;
  });
  const pointers = names.map((name) => `*${name}`).join(', ');
  return `${comment(`${EVENT}: an event as it is listed and delivered. Type determines the type of Data.`)}
type ${EVENT} struct {
${fields.join('\n')}
// The data of the event.
Data EventData \`json:"data"\`
}

${comment(`EventData: the data of an event: one of ${pointers}, and *UnknownEventData for a type that this release does not know.`)}
type EventData interface{ isEventData() }

${names.map((name) => `func (*${name}) isEventData() {}\n`).join('\n')}
// newEventData returns the empty data of an event of a type.
func newEventData(eventType EventType) EventData {
	switch eventType {
${cases.join('\n')}
	}
	return new(UnknownEventData)
}
`;
}

/** Renders `types.gen.go`. */
export function renderTypes(): string {
  const events = new Set((schemas[EVENT]?.oneOf ?? []).map(({ $ref = '' }) => componentName($ref)));
  const requests = requestNames();
  const named = Object.entries(schemas)
    .filter(([title]) => title !== ERROR && title !== EVENT && !events.has(title))
    .map(([title, schema]) => {
      const name = goName(title);
      if (schema.enum !== undefined) return renderEnumeration(name, schema);
      return schema.oneOf === undefined
        ? new Structs(requests.has(title)).render(name, schema)
        : renderChoice(name, schema);
    });
  const parts = [...renderIdTypes(), ...named, ...inline.values(), renderEvent()];
  return `${HEAD}\nimport (\n\t"encoding/json"\n\t"time"\n)\n\n${parts.join('\n')}`;
}
