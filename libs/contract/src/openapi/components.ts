// Named schemas become components of the API description, and every use of one a reference to it.
import type { TSchema } from 'typebox';

/** A JSON value under construction. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type JsonObject = { [name: string]: Json };

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Collects named schemas while schemas are turned into plain JSON. */
export class Components {
  private readonly byName = new Map<string, Json>();

  /** The schema as JSON, with named schemas replaced by references; itself a reference if it is named. */
  reference(schema: TSchema): Json {
    return this.convert(JSON.parse(JSON.stringify(schema)));
  }

  /** Every named schema met so far, by name in alphabetical order. */
  schemas(): JsonObject {
    return Object.fromEntries([...this.byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private convert(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.convert(item));
    if (!isObject(value)) return value;
    const { title } = value;
    if (typeof title !== 'string') return this.members(value);
    if (!this.byName.has(title)) {
      this.byName.set(title, null);
      this.byName.set(title, this.named(value));
    }
    return { $ref: reference(title) };
  }

  private members(value: JsonObject): JsonObject {
    // Examples are data: a `title` in them names no schema.
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === 'examples' ? member : this.convert(member),
      ]),
    );
  }

  private named(value: JsonObject): JsonObject {
    const { title: _title, ...rest } = value;
    const converted = this.members(rest);
    return isObject(value.discriminator)
      ? { ...converted, discriminator: withMapping(value.discriminator, value.oneOf) }
      : converted;
  }
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** A discriminator must say which value stands for which component where the values aren't the components' names. */
function withMapping(discriminator: JsonObject, alternatives: Json | undefined): JsonObject {
  const { propertyName } = discriminator;
  if (typeof propertyName !== 'string' || !Array.isArray(alternatives)) {
    throw new TypeError('a discriminator needs a property and alternatives');
  }
  const mapping = alternatives.map((alternative): [string, string] => {
    const properties = isObject(alternative) ? alternative.properties : undefined;
    const property = isObject(properties) ? properties[propertyName] : undefined;
    const name = isObject(alternative) ? alternative.title : undefined;
    if (!isObject(property) || typeof property.const !== 'string' || typeof name !== 'string') {
      throw new TypeError('every alternative needs a name and a constant discriminator');
    }
    return [property.const, reference(name)];
  });
  return { propertyName, mapping: Object.fromEntries(mapping) };
}
