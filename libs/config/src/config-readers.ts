/** Readers of settings: each parses the text of one setting and describes what it expects. */
import { readFileSync } from 'node:fs';

export interface SettingReader<T> {
  /** What the setting's text must be, as the end of the sentence "it must be …" in an error message. */
  readonly expects: string;
  /** The value if the setting is missing. A setting without a fallback is required. */
  readonly fallback?: { readonly value: T };
  /** Returns the value, or undefined if the text is invalid. */
  read(text: string): T | undefined;
}

function reader<T>(expects: string, read: (text: string) => T | undefined): SettingReader<T> {
  return { expects, read };
}

/** Returns whether a text can name the release of a worker. */
export const isBuildId = (text: string): boolean => /^[\w.-]{1,100}$/.test(text);

function parseUrl(text: string, protocols: readonly string[]): string | undefined {
  try {
    return protocols.includes(new URL(text).protocol) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The readers of settings, by the type of their values. @example setting.withDefault(setting.choice('sandbox', 'production'), 'sandbox') */
export const setting = {
  string: (): SettingReader<string> => reader('text', (text) => text),

  /** Reads a text of at least `min` characters. */
  secret: (min: number): SettingReader<string> =>
    reader(`a secret of at least ${min} characters`, (text) => (text.length >= min ? text : undefined)),

  /**
   * Reads a secret that is sent in a header. Other characters are rejected here, because the libraries that build the header quote the secret
   * in their errors.
   */
  headerSecret: (min: number): SettingReader<string> =>
    reader(`a secret of at least ${min} visible ASCII characters, without spaces and line ends`, (text) =>
      text.length >= min && /^[!-~]+$/.test(text) ? text : undefined,
    ),

  buildId: (): SettingReader<string> =>
    reader('1 to 100 letters, digits, dots, hyphens or underscores', (text) =>
      isBuildId(text) ? text : undefined,
    ),

  integer: (min: number, max: number): SettingReader<number> =>
    reader(`a whole number from ${min} to ${max}`, (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    }),

  choice: <const T extends string>(...values: T[]): SettingReader<T> =>
    reader(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text)),

  url: (...protocols: string[]): SettingReader<string> =>
    reader(`an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`, (text) =>
      parseUrl(text, protocols),
    ),

  /** Reads the addresses of one or more replicas, separated by commas. */
  urls: (...protocols: string[]): SettingReader<readonly string[]> =>
    reader(
      `addresses that start with ${protocols.map((p) => `${p}//`).join(' or ')}, separated by commas`,
      (text) => {
        const parsed = text.split(',').map((part) => parseUrl(part.trim(), protocols));
        return parsed.every((part) => part !== undefined) ? parsed : undefined;
      },
    ),

  /** Reads the content of a PEM file. The text of the setting is the file's path. */
  pemFile: (): SettingReader<Buffer> =>
    reader('the path of a PEM file that this process can read', (path) => {
      try {
        const content = readFileSync(path);
        return content.includes('-----BEGIN ') ? content : undefined;
      } catch {
        return undefined;
      }
    }),

  /** Makes a reader of an optional setting: `inner` reads its value, which is null if the setting is missing. */
  optional: <T>(inner: SettingReader<T>): SettingReader<T | null> => ({
    ...inner,
    fallback: { value: null },
  }),

  withDefault: <T>(inner: SettingReader<T>, value: T): SettingReader<T> => ({
    ...inner,
    fallback: { value },
  }),
};
