import { readFileSync } from 'node:fs';

/** How one setting is read from text: each reader says in words what it expects. */
export interface Reader<T> {
  readonly expects: string;
  readonly fallback?: { readonly value: T };
  /** The value, or undefined where the text does not hold one. */
  read(text: string): T | undefined;
}

function reader<T>(expects: string, read: (text: string) => T | undefined): Reader<T> {
  return { expects, read };
}

function parseUrl(text: string, protocols: readonly string[]): string | undefined {
  if (!URL.canParse(text)) return undefined;
  return protocols.includes(new URL(text).protocol) ? text : undefined;
}

export const CONFIG_READERS = {
  string: (): Reader<string> => reader('a text', (text) => text),

  /** A secret of at least `least` characters. */
  secret: (least: number): Reader<string> =>
    reader(`a secret of at least ${least} characters`, (text) => (text.length >= least ? text : undefined)),

  integer: (least: number, most: number): Reader<number> =>
    reader(`a whole number from ${least} to ${most}`, (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    }),

  choice: <const T extends string>(...values: T[]): Reader<T> =>
    reader(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text)),

  url: (...protocols: string[]): Reader<string> =>
    reader(`an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`, (text) =>
      parseUrl(text, protocols),
    ),

  /** One address or several replicas' addresses, separated by commas. */
  urls: (...protocols: string[]): Reader<readonly string[]> =>
    reader(
      `addresses that start with ${protocols.map((p) => `${p}//`).join(' or ')}, separated by commas`,
      (text) => {
        const parsed = text.split(',').map((part) => parseUrl(part.trim(), protocols));
        return parsed.every((part) => part !== undefined) ? parsed : undefined;
      },
    ),

  /** The content of a PEM file, of which the setting is the path. */
  pemFile: (): Reader<Buffer> =>
    reader('the path of a PEM file that this process can read', (path) => {
      try {
        const content = readFileSync(path);
        return content.includes('-----BEGIN ') ? content : undefined;
      } catch {
        return undefined;
      }
    }),

  /** The reader's value, or null where the setting is missing. */
  optional: <T>(inner: Reader<T>): Reader<T | null> => ({ ...inner, fallback: { value: null } }),

  withDefault: <T>(inner: Reader<T>, value: T): Reader<T> => ({ ...inner, fallback: { value } }),
};
