/** Reads chosen elements of an XML file as a stream. Each element becomes a plain object, in which any child can be missing. */
import type { Readable } from 'node:stream';
import { copyText, decodeText, FileError } from '@carecover/import-files';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** An XML element with attributes or children. An element without attributes and children is represented by its text. */
export interface XmlNode {
  /** The line of the element's start tag, counted from 1. */
  readonly line: number;
  /** Children by name, attributes by `@name`, and the text by `#text`. A child that occurs several times is an array. */
  readonly [name: string]: unknown;
}

export interface ChosenElements {
  /** The names, without namespaces, that the elements from the root to the elements to read can have; the last are those to read. */
  readonly path: readonly (readonly string[])[];
  /** The names of the descendants to read; other descendants are skipped. */
  readonly descendants: ReadonlySet<string>;
  /** The names of the descendants that are always arrays of objects, even if they occur once or have no children. */
  readonly lists: ReadonlySet<string>;
}

/** Replaces a character reference to an invalid character, such as half of a surrogate pair; the row that contains it is then rejected. */
const NO_CHARACTER = '\0';

/** A chosen element, or the start or the end of the parent of chosen elements. */
export type XmlPart =
  | { readonly part: 'parent start'; readonly name: string; readonly line: number }
  | { readonly part: 'element'; readonly name: string; readonly node: XmlNode }
  | { readonly part: 'parent end' };

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

interface OpenElement {
  readonly name: string;
  readonly node: Record<string, unknown> & { line: number };
  text: string;
  hasParts: boolean;
}

/** Maximum depth of an element. A camt.053 statement has fewer than 20 levels. */
const MAX_DEPTH = 64;

/**
 * Maximum number of characters of a part of the markup: a tag with its attributes, a text, a comment, a declaration. The parser keeps a part
 * in memory until it has read its end.
 */
const MAX_PART_CHARACTERS = 100_000;

/** Maximum number of characters of a chosen element, which is in memory as a whole: some 30,000 transactions of a batch. */
const MAX_ELEMENT_CHARACTERS = 16_000_000;

/** Number of characters that are parsed between two checks of the maximums. */
const SLICE_CHARACTERS = 16_384;

/** Collects the elements: those whose start tag the parser has read, and those whose end tag it has read too. */
class Elements {
  /** The number of elements that are open. */
  private depth = 0;
  /** The number of open elements, from the root, whose names are those of the path to the chosen elements. */
  private onPath = 0;
  /** The chosen element that is being read, and its descendants that have not ended. */
  private readonly open: OpenElement[] = [];
  /** The depth of the descendant that is being skipped; 0 if none is. */
  private skippedFrom = 0;
  private found: XmlPart[] = [];
  /** Whether the file has the parent element of the chosen elements. */
  hasParent = false;

  /** The position in the file at which the chosen element that is being read starts. */
  private startedAt = 0;

  constructor(private readonly chosen: ChosenElements) {}

  /** @throws FileError if the chosen element that is being read is longer than the maximum, when `position` was read */
  checkLength(position: number): void {
    const [element] = this.open;
    if (element === undefined || position - this.startedAt <= MAX_ELEMENT_CHARACTERS) return;
    const maximum = MAX_ELEMENT_CHARACTERS.toLocaleString('en');
    throw new FileError(
      `The element ${element.name} of line ${element.node.line} has more than ${maximum} characters.`,
    );
  }

  take(): XmlPart[] {
    const { found } = this;
    this.found = [];
    return found;
  }

  /** @throws FileError if the element is deeper than the maximum */
  start({ name, attributes }: SaxesTagPlain, line: number, position: number): void {
    const local = localName(name);
    const { path, descendants, lists } = this.chosen;
    if (this.onPath === this.depth && path[this.depth]?.includes(local) === true) this.onPath += 1;
    this.depth += 1;
    if (this.depth > MAX_DEPTH)
      throw new FileError(`The elements are nested more than ${MAX_DEPTH} deep (line ${line}).`);
    const isOnPath = this.onPath === this.depth;
    if (isOnPath && this.depth === path.length - 1) {
      this.hasParent = true;
      this.found.push({ part: 'parent start', name: local, line });
    }
    if (this.skippedFrom > 0) return;
    if (this.open.length === 0) this.startedAt = position;
    if (this.open.length > 0 && !descendants.has(local)) this.skippedFrom = this.depth;
    else if (this.open.length > 0 || (isOnPath && this.depth === path.length)) {
      const node: OpenElement['node'] = { line };
      for (const [key, value] of Object.entries(attributes)) node[`@${localName(key)}`] = value;
      const hasParts = lists.has(local) || this.open.length === 0 || Object.keys(attributes).length > 0;
      this.open.push({ name: local, node, text: '', hasParts });
    }
  }

  text(text: string): void {
    const current = this.open.at(-1);
    if (current !== undefined && this.skippedFrom === 0) current.text += text;
  }

  end(): void {
    const { depth } = this;
    if (this.onPath === depth && depth === this.chosen.path.length - 1)
      this.found.push({ part: 'parent end' });
    this.depth -= 1;
    this.onPath = Math.min(this.onPath, this.depth);
    if (this.skippedFrom > 0) {
      if (this.skippedFrom === depth) this.skippedFrom = 0;
      return;
    }
    const ended = this.open.pop();
    if (ended === undefined) return;
    // The text is copied, because a substring would keep the whole chunk of the file in memory.
    const text = copyText(ended.text.trim());
    if (text !== '') ended.node['#text'] = text;
    const parent = this.open.at(-1);
    if (parent === undefined) this.found.push({ part: 'element', name: ended.name, node: ended.node });
    else this.add(parent, ended.name, ended.hasParts ? ended.node : text);
  }

  private add(parent: OpenElement, name: string, value: unknown): void {
    parent.hasParts = true;
    const known = parent.node[name];
    if (Array.isArray(known)) known.push(value);
    else if (known !== undefined) parent.node[name] = [known, value];
    else parent.node[name] = this.chosen.lists.has(name) ? [value] : value;
  }
}

/**
 * Reads the elements at a path of an XML file, in the order of the file, with the start and the end of each parent. Entities are not expanded, except the five predefined ones. At most one chosen element is in
 * memory, and at most a chunk of the file is read after the place at which the file is rejected.
 *
 * @throws FileError if the file is not well-formed or not in UTF-8 or UTF-16, has a document type declaration, nests elements too deep,
 *   exceeds a maximum length, or lacks the parent of the chosen elements
 */
export async function* readXmlElements(input: Readable, chosen: ChosenElements): AsyncGenerator<XmlPart> {
  const parser = new SaxesParser({ xmlns: false });
  const elements = new Elements(chosen);
  let line = 1;
  /** The position in the file at which the part of the markup that is being read starts. */
  let partStart = 0;
  const endPart = () => {
    partStart = parser.position;
  };
  parser.on('error', (error) => {
    if (/disallowed character\.$|undefined entity/.test(error.message)) return;
    if (/malformed character entity/.test(error.message)) elements.text(NO_CHARACTER);
    else throw new FileError(`This is no XML: ${error.message} (line ${parser.line})`);
  });
  parser.on('doctype', () => {
    throw new FileError('A statement with a document type is not read.');
  });
  parser.on('opentagstart', () => {
    // The parser has already read the character after the tag's name, which can be a line break.
    line = parser.columnIndex === 0 ? parser.line - 1 : parser.line;
  });
  parser.on('opentag', (tag) => {
    endPart();
    elements.start(tag as SaxesTagPlain, line, partStart);
  });
  parser.on('text', (text) => {
    endPart();
    elements.text(text);
  });
  parser.on('cdata', (text) => {
    endPart();
    elements.text(text);
  });
  parser.on('closetag', () => {
    endPart();
    elements.end();
  });
  parser.on('comment', endPart);
  parser.on('processinginstruction', endPart);
  // The parser's own position is right within its events only: after `write`, it counts the last slice twice.
  let position = 0;
  for await (const text of decodeText(input)) {
    for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
      const slice = text.slice(at, at + SLICE_CHARACTERS);
      parser.write(slice);
      position += slice.length;
      if (position - partStart > MAX_PART_CHARACTERS)
        throw new FileError(
          `A tag, text or comment has more than ${MAX_PART_CHARACTERS.toLocaleString('en')} characters (line ${parser.line}).`,
        );
      elements.checkLength(position);
      yield* elements.take();
    }
  }
  parser.close();
  yield* elements.take();
  if (!elements.hasParent)
    throw new FileError(
      `The file has no element ${chosen.path
        .slice(0, -1)
        .map((names) => names.join(' or '))
        .join('/')}.`,
    );
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the child element with this name if it has attributes or children. */
export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  const value = node?.[name];
  return isNode(value) ? value : undefined;
}

/** Returns all child elements with this name, which must be one of `lists` in {@link ChosenElements}. */
export function children(node: XmlNode, name: string): XmlNode[] {
  const value = node[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns the trimmed text of an element; empty if there is none. */
export function ownText(node: XmlNode): string {
  const content = node['#text'];
  return typeof content === 'string' ? content : '';
}

/** Returns the trimmed text of the child element with this name; empty if there is none. */
export function text(node: XmlNode | undefined, name: string): string {
  const value = node?.[name];
  if (isNode(value)) return ownText(value);
  return typeof value === 'string' ? value : '';
}

/** Returns the trimmed value of an attribute of the child element with this name; empty if there is none. */
export function attribute(node: XmlNode | undefined, name: string, attributeName: string): string {
  const value = child(node, name)?.[`@${attributeName}`];
  return typeof value === 'string' ? value.trim() : '';
}
