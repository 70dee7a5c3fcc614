/**
 * Sends recorded SQL repeatedly with new identifiers: replaces identifiers that the recording created by new ones, keeps the others,
 * and inserts the values of an instance in place of the recorded ones.
 */
import { randomBytes } from 'node:crypto';
import { connectPostgres, newId, type Sql, type Tx } from '@carecover/platform';
import { decode, type Recording, type Statement } from './statement';

/** The replacements of one replay, by recorded text: an identifier without its prefix, or an instant. */
export type Instance = Readonly<Record<string, string>>;

/** Recorded instants with new values per replay: their values in the first replay (epoch milliseconds), and the increment per replay. */
export interface Timeline {
  readonly first: Readonly<Record<string, number>>;
  readonly everyMs: number;
}

export interface ReplaySettings {
  readonly url: string;
  readonly recording: Recording;
  /** Used in rotation. Without instances, replays only have new identifiers. */
  readonly instances?: readonly Instance[];
  readonly timeline?: Timeline | undefined;
  readonly pool?: number;
}

const IDENTIFIER = /[0-9a-f]{32}/g;
/** Longer texts are responses and events, which need no replacement. */
const LONGEST_TEXT = 200;
const TIME_LENGTH = 12;
const SEED_LENGTH = 20;

/** Returns an identifier without its prefix. */
export function coreOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

/** Returns the creation time of an identifier in epoch milliseconds. Identifiers begin with it. */
function createdAt(core: string): number {
  return Number.parseInt(core.slice(0, TIME_LENGTH), 16);
}

/** Replaces recorded identifiers in a text. The same seed results in the same identifiers. */
type Renaming = (text: string) => string;

function createRenaming(startedAt: number, instance: Instance, seed: string): Renaming {
  const rename = (core: string) =>
    instance[core] ?? (createdAt(core) < startedAt ? core : seed + core.slice(SEED_LENGTH));
  return (text) => instance[text] ?? text.replaceAll(IDENTIFIER, rename);
}

function renameValue(value: unknown, rename: Renaming): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? value : rename(value);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return new Date(rename(value.toISOString()));
  if (Array.isArray(value)) return value.map((each) => renameValue(each, rename));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renameValue(each, rename)]));
}

interface Prepared extends Statement {
  /** For each parameter, whether it can contain identifiers or instants to replace. */
  readonly variable: readonly boolean[];
}

function prepare({ text, parameters, types }: Statement): Prepared {
  const decoded = parameters.map(decode);
  const variable = decoded.map(
    (value) => value instanceof Date || JSON.stringify(value).match(IDENTIFIER) !== null,
  );
  return { text, parameters: decoded, types, variable };
}

const BEGIN = /^begin\b/;
const COMMIT = /^commit$/;

export class Replay {
  private readonly sql: Sql;
  private readonly startedAt: number;
  private readonly steps: ReadonlyMap<string, readonly Prepared[]>;

  constructor({ url, recording, pool = 10 }: ReplaySettings) {
    this.sql = connectPostgres(url, pool, 'bench-bare');
    this.startedAt = recording.startedAt;
    this.steps = new Map(recording.steps.map(({ name, statements }) => [name, statements.map(prepare)]));
  }

  /** Sends a step's SQL and returns the last row. @param seed from {@link newSeed}, the same for all steps of one instance */
  async playStep(name: string, instance: Instance, seed: string): Promise<unknown> {
    const statements = this.steps.get(name);
    if (statements === undefined) throw new Error(`no step ${name} was recorded`);
    const rename = createRenaming(this.startedAt, instance, seed);
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

  /** Sends the SQL of all steps in order. */
  async play(instance: Instance, seed: string): Promise<unknown> {
    let last: unknown = null;
    for (const name of this.steps.keys()) last = (await this.playStep(name, instance, seed)) ?? last;
    return last;
  }

  private arguments({ parameters, types, variable }: Prepared, rename: Renaming) {
    return parameters.map((value, index) =>
      this.sql.typed((variable[index] ? renameValue(value, rename) : value) as never, types[index] ?? 0),
    );
  }

  close(): Promise<void> {
    return this.sql.end({ timeout: 5 });
  }
}

/** Creates the first digits of an instance's identifiers. They sort by time, as the project's identifiers do. */
export function newSeed(): string {
  return newId('').slice(0, TIME_LENGTH) + randomBytes((SEED_LENGTH - TIME_LENGTH) / 2).toString('hex');
}

/** Opens a replay whose instances are used in rotation by number. */
export function openReplay(settings: ReplaySettings): {
  play(number: number): Promise<unknown>;
  close(): Promise<void>;
} {
  const replay = new Replay(settings);
  const { instances, timeline = { first: {}, everyMs: 0 } } = settings;
  const instants = Object.entries(timeline.first);
  const instanceOf = (number: number): Instance => {
    const given = instances?.[number % instances.length] ?? {};
    if (instants.length === 0) return given;
    const times = instants.map(([recorded, first]) => [
      recorded,
      new Date(first + number * timeline.everyMs).toISOString(),
    ]);
    return { ...given, ...Object.fromEntries(times) };
  };
  return {
    play: (number) => replay.play(instanceOf(number), newSeed()),
    close: () => replay.close(),
  };
}
