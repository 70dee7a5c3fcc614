/** Reads elements of the XML parser's plain objects; every element can be missing. */

export interface XmlNode {
  readonly [name: string | symbol]: unknown;
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Replaces a reference to an invalid character, such as half of a surrogate pair. It is not plain text, so the row is rejected. */
const NO_CHARACTER = '\0';

function character(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : NO_CHARACTER;
}

/** Replaces the five predefined entities and character references; every other `&…;` stays. */
function decode(value: string): string {
  return value.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([\da-f]+));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return PREDEFINED[name.toLowerCase()] ?? whole;
    return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the child element of that name if it has attributes or children. */
export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  const value = node?.[name];
  return isNode(value) ? value : undefined;
}

/** Returns all child elements of that name; the parser must read the name as a list. */
export function children(node: XmlNode, name: string): XmlNode[] {
  const value = node[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns the trimmed text of the child element of that name; empty if there is none. */
export function text(node: XmlNode | undefined, name: string): string {
  const value = node?.[name];
  const content = isNode(value) ? value['#text'] : value;
  return typeof content === 'string' ? decode(content).trim() : '';
}

/** Returns an attribute of the child element of that name; empty if there is none. */
export function attribute(node: XmlNode | undefined, name: string, attributeName: string): string {
  const value = child(node, name)?.[`@_${attributeName}`];
  return typeof value === 'string' ? decode(value).trim() : '';
}
