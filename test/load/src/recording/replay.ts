/**
 * Sends recorded SQL again and again, each time for something new: identifiers that the recording made are made anew, the
 * others stay, and what an instance gives is put in the place of what was recorded.
 */
import { connectPostgres, newId, type Sql, type Tx } from '@carecover/platform';
import { decode, type Recording, type Statement } from './statement';

/** What one replay is for: recorded text (an identifier without its prefix, or an instant) and what stands for it now. */
export type Instance = Readonly<Record<string, string>>;

export interface ReplaySettings {
  readonly url: string;
  readonly recording: Recording;
  /** Identifiers without their prefixes that stay as they are. */
  readonly kept: readonly string[];
  /** One for each replay; without them, every replay is for new identifiers alone. */
  readonly instances?: readonly Instance[];
  readonly pool?: number;
}

const IDENTIFIER = /[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Longer texts are answers and events, whose words nothing depends on. */
const LONGEST_TEXT = 200;
const SEED_LENGTH = 20;

/** The identifier without its prefix. */
export function coreOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

/** Says what stands for a recorded text in this replay. The same seed gives the same identifiers. */
type Renaming = (text: string) => string;

function renaming(kept: ReadonlySet<string>, instance: Instance, seed: string): Renaming {
  const names = new Map<string, string>();
  const rename = (name: string): string => {
    const given = instance[name];
    if (given !== undefined) return given;
    if (kept.has(name)) return name;
    let fresh = names.get(name);
    if (fresh === undefined) {
      const digits = seed + digest(name);
      fresh = name.includes('-')
        ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
        : digits;
      names.set(name, fresh);
    }
    return fresh;
  };
  return (text) => instance[text] ?? text.replaceAll(IDENTIFIER, rename);
}

/** Tells recorded identifiers apart, in the twelve digits that a seed leaves. */
function digest(name: string): string {
  return name.replaceAll('-', '').slice(SEED_LENGTH);
}

function renamed(value: unknown, rename: Renaming): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? value : rename(value);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return new Date(rename(value.toISOString()));
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each, rename)]));
}

interface Prepared extends Statement {
  /** Which parameters may have to be renamed. */
  readonly variable: readonly boolean[];
}

function prepare({ text, parameters, types }: Statement, kept: ReadonlySet<string>): Prepared {
  const decoded = parameters.map(decode);
  const variable = decoded.map((value) => {
    const names = JSON.stringify(value)?.match(IDENTIFIER) ?? [];
    return value instanceof Date || names.some((name) => !kept.has(name));
  });
  return { text, parameters: decoded, types, variable };
}

const BEGIN = /^begin\b/;
const COMMIT = /^commit$/;

export class Replay {
  private readonly sql: Sql;
  private readonly kept: ReadonlySet<string>;
  private readonly steps: ReadonlyMap<string, readonly Prepared[]>;

  constructor({ url, recording, kept, pool = 10 }: ReplaySettings) {
    this.sql = connectPostgres(url, pool, 'bench-bare');
    this.kept = new Set(kept);
    this.steps = new Map(
      recording.map(({ name, statements }) => [name, statements.map((each) => prepare(each, this.kept))]),
    );
  }

  /** Sends a step's SQL; gives the last row that came back. @param seed from {@link newSeed}, the same for steps of one thing */
  async playStep(name: string, instance: Instance, seed: string): Promise<unknown> {
    const statements = this.steps.get(name);
    if (statements === undefined) throw new Error(`no step ${name} was recorded`);
    const rename = renaming(this.kept, instance, seed);
    let last: unknown = null;
    const send = async (db: Sql | Tx, statement: Prepared) => {
      const rows = await db.unsafe(statement.text, this.arguments(statement, rename), {
        prepare: statement.parameters.length > 0,
      });
      if (rows.length > 0) last = rows.at(-1);
    };
    for (let at = 0; at < statements.length; at++) {
      const statement = statements[at];
      if (statement === undefined) break;
      if (!BEGIN.test(statement.text)) {
        await send(this.sql, statement);
        continue;
      }
      const end = statements.findIndex(({ text }, index) => index > at && COMMIT.test(text));
      const inside = statements.slice(at + 1, end);
      await this.sql.begin(async (tx) => {
        for (const each of inside) await send(tx, each);
      });
      at = end;
    }
    return last;
  }

  /** All steps, in order. */
  async play(instance: Instance, seed: string): Promise<unknown> {
    let last: unknown = null;
    for (const name of this.steps.keys()) last = (await this.playStep(name, instance, seed)) ?? last;
    return last;
  }

  private arguments({ parameters, types, variable }: Prepared, rename: Renaming) {
    return parameters.map((value, index) =>
      this.sql.typed((variable[index] ? renamed(value, rename) : value) as never, types[index] ?? 0),
    );
  }

  close(): Promise<void> {
    return this.sql.end({ timeout: 5 });
  }
}

/** The first digits of a thing's identifiers: they sort by time, as ours do. */
export function newSeed(): string {
  return newId('').slice(0, SEED_LENGTH);
}

/** A replay by number: instances in their order, or new identifiers for ever. */
export function openReplay(settings: ReplaySettings): {
  play(number: number): Promise<unknown>;
  close(): Promise<void>;
} {
  const replay = new Replay(settings);
  return {
    play: (number) => replay.play(settings.instances?.[number] ?? {}, newSeed()),
    close: () => replay.close(),
  };
}
