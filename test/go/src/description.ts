/** What both parts of the generator read of the API description, and how they write comments. */
import { type IdentifierKind, kindOfIdentifierPattern } from '@carecover/contract';
import { openApiDocument } from '@carecover/contract/openapi';
import { goName, itemName } from './names';

/** A schema of the API description. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
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

const document = openApiDocument({ serverUrl: '/v1' });

export const schemas = document.components.schemas as unknown as Readonly<Record<string, Schema>>;
export const { paths } = document;

export const HEAD = '// Code generated from the API description. DO NOT EDIT.\n\npackage carecover\n';

const LINE_LENGTH = 110;

/** Renders lines of a comment. A blank line separates paragraphs. */
export function comment(text: string): string {
  return text
    .split('\n')
    .flatMap((paragraph) => {
      const lines = [''];
      for (const word of paragraph.split(' ')) {
        const line = lines.at(-1) ?? '';
        if (line !== '' && line.length + word.length >= LINE_LENGTH) lines.push(word);
        else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
      }
      return lines;
    })
    .map((line) => `// ${line}`.trimEnd())
    .join('\n');
}

/** Renders the comment of a declaration, which starts with the declared name. */
export function declarationComment(name: string, text: string): string {
  const isCode = /^(\W|[A-Z]{2})/.test(text);
  return comment(`${name}: ${isCode ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`}`);
}

/** Returns the name of the component to which a reference points. */
export function componentName(reference: string): string {
  return reference.replace('#/components/schemas/', '');
}

/** Returns the name of the type of a kind's identifiers. @example idTypeName('claim') // 'ClaimID' */
export function idTypeName(kind: IdentifierKind): string {
  return goName(`${kind}Id`);
}

const SCALARS: Readonly<Record<string, string>> = { boolean: 'bool', number: 'float64', string: 'string' };

/**
 * Returns the Go type of a schema.
 *
 * @param name the name of its type, if it is an object without a name of its own
 * @param declare is called with the name and the schema of each such object
 * @throws TypeError for a schema without a Go type
 */
export function goType(
  schema: Schema,
  name: string,
  declare: (name: string, schema: Schema) => void = () => undefined,
): string {
  if (schema.$ref !== undefined) return goName(componentName(schema.$ref));
  const [choice, none] = schema.anyOf ?? [];
  if (choice !== undefined && none?.type === 'null') return `*${goType(choice, name, declare)}`;
  if (Array.isArray(schema.type)) return `*${goType({ ...schema, type: schema.type[0] }, name, declare)}`;
  if (schema.type === 'array' && schema.items !== undefined)
    return `[]${goType(schema.items, itemName(name), declare)}`;
  if (schema.type === 'object') {
    declare(name, schema);
    return name;
  }
  const kind = kindOfIdentifierPattern(schema.pattern);
  if (kind !== undefined) return idTypeName(kind);
  if (schema.format === 'date-time') return 'time.Time';
  if (schema.type === 'integer') return schema.format === 'int64' ? 'int64' : 'int';
  const scalar = SCALARS[String(schema.const === undefined ? schema.type : 'string')];
  if (scalar === undefined) throw new TypeError(`${name} has no Go type: ${JSON.stringify(schema)}`);
  return scalar;
}
