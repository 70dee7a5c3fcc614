/** Reads the parser's plain objects, in which anything may be missing. */

export interface XmlNode {
  readonly [name: string | symbol]: unknown;
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What stands for a reference to no character, such as half of a surrogate pair: no plain text, so that its row is refused. */
const NO_CHARACTER = '\0';

function character(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : NO_CHARACTER;
}

/** Replaces XML's own five entities and character references; every other `&…;` stays as it is. */
function decoded(value: string): string {
  return value.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([\da-f]+));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return PREDEFINED[name.toLowerCase()] ?? whole;
    return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The element of that name, where it has elements of its own. */
export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  const value = node?.[name];
  return isNode(value) ? value : undefined;
}

/** All elements of that name, for names that are always read as lists. */
export function children(node: XmlNode, name: string): XmlNode[] {
  const value = node[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The text of the element of that name, trimmed; empty where there is none. */
export function text(node: XmlNode | undefined, name: string): string {
  const value = node?.[name];
  const content = isNode(value) ? value['#text'] : value;
  return typeof content === 'string' ? decoded(content).trim() : '';
}

/** An attribute of the element of that name; empty where there is none. */
export function attribute(node: XmlNode | undefined, name: string, attributeName: string): string {
  const value = child(node, name)?.[`@_${attributeName}`];
  return typeof value === 'string' ? decoded(value).trim() : '';
}
