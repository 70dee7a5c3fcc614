// Converts schemas to JSON for the API description: named schemas become components, and their uses become references.
import type { TSchema } from 'typebox';
import { enumerationDescription } from './enumerations';

/** A mutable JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type JsonObject = { [name: string]: Json };

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Collects named schemas while it converts schemas to JSON. */
export class Components {
  private readonly byName = new Map<string, Json>();

  /** Converts a schema to JSON, with a reference in place of every named schema, also in place of the given schema if it has a name. */
  reference(schema: TSchema): Json {
    return this.convert(JSON.parse(JSON.stringify(schema)));
  }

  /** Returns every named schema that was converted until this call, in the alphabetical order of the names. */
  schemas(): JsonObject {
    return Object.fromEntries([...this.byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private convert(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.convert(item));
    if (!isObject(value)) return value;
    const { title } = value;
    if (typeof title !== 'string') return this.convertMembers(value);
    if (Array.isArray(value.enum)) return this.convertEnumeration(title, value);
    if (!this.byName.has(title)) {
      this.byName.set(title, null);
      this.byName.set(title, this.convertNamed(value));
    }
    return { $ref: reference(title) };
  }

  private convertMembers(value: JsonObject): JsonObject {
    // Examples are data: a `title` in them is not the name of a schema.
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === 'examples' ? member : this.convert(member),
      ]),
    );
  }

  /** The description of the field stays beside the reference, which JSON Schema permits since its version 2019-09. */
  private convertEnumeration(name: string, value: JsonObject): JsonObject {
    const { title: _title, description, ...rest } = value;
    this.byName.set(name, { ...rest, description: enumerationDescription(name) });
    return { $ref: reference(name), ...(description !== undefined && { description }) };
  }

  /**
   * The examples of a named schema are left out: each body has its own example at its media type, and a mock server would prefer the
   * schema's example to that of the response.
   */
  private convertNamed(value: JsonObject): JsonObject {
    const { title: _title, examples: _examples, ...rest } = value;
    const converted = this.convertMembers(rest);
    return isObject(value.discriminator)
      ? { ...converted, discriminator: addMapping(value.discriminator, value.oneOf) }
      : converted;
  }
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Adds to a discriminator the mapping of its values to components. OpenAPI requires the mapping if the values aren't component names. */
function addMapping(discriminator: JsonObject, alternatives: Json | undefined): JsonObject {
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
