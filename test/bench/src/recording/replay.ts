/**
 * Sends recorded SQL repeatedly. In each replay, identifiers that were created in the recording are replaced by new ones, and recorded
 * values are replaced by the values of an {@link Instance}; other identifiers stay the same.
 */
import { randomBytes } from 'node:crypto';
import { newId } from '@carecover/domain';
import { connectPostgres, type Sql, type Tx } from '@carecover/postgres';
import { decode, type Recording, type Statement } from './statement';

/** The values of one replay, by the recorded value that they replace: an identifier without its prefix, or an instant. */
export type Instance = Readonly<Record<string, string>>;

/**
 * New values for recorded instants: for each, its value in the first replay in epoch milliseconds, and the milliseconds that each further
 * replay adds.
 */
export interface Timeline {
  readonly first: Readonly<Record<string, number>>;
  readonly everyMs: number;
}

export interface ReplaySettings {
  readonly url: string;
  readonly recording: Recording;
  /** The values of the replays, one entry per replay, used in rotation. If omitted, replays differ only in their new identifiers. */
  readonly instances?: readonly Instance[];
  readonly timeline?: Timeline | undefined;
  readonly pool?: number;
}

const IDENTIFIER = /[0-9a-f]{32}/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
const JSON_TEXT = /^[[{]["{[]/;
/** Parameters with longer texts are not searched for identifiers, because they are the bodies of responses and events. */
const LONGEST_TEXT = 200;
const TIME_LENGTH = 12;
const SEED_LENGTH = 20;

/** Returns the identifier without its prefix. */
export function coreOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

/** Returns the new identifier that replaces an identifier of the recording. The same identifier and seed give the same new identifier. */
export function seededId(id: string, seed: string): string {
  const core = coreOf(id);
  return id.slice(0, -core.length) + seed + core.slice(SEED_LENGTH);
}

/** Returns the creation time with which an identifier begins, in epoch milliseconds. */
function createdAt(core: string): number {
  return Number.parseInt(core.slice(0, TIME_LENGTH), 16);
}

/** A function that replaces recorded identifiers in a text. */
type Renaming = (text: string) => string;

function createRenaming(startedAt: number, instance: Instance, seed: string): Renaming {
  const rename = (core: string) =>
    instance[core] ?? (createdAt(core) < startedAt ? core : seed + core.slice(SEED_LENGTH));
  return (text) => instance[text] ?? text.replaceAll(IDENTIFIER, rename);
}

function renameValue(value: unknown, rename: Renaming): unknown {
  if (typeof value === 'string' && JSON_TEXT.test(value))
    return JSON.stringify(renameValue(JSON.parse(value), rename));
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? value : rename(value);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return value.map((each) => renameValue(each, rename));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renameValue(each, rename)]));
}

interface Prepared extends Statement {
  /** The parts of the SQL text between the parameters. */
  readonly strings: TemplateStringsArray;
  /** For each parameter, whether it can contain identifiers or instants that are replaced. */
  readonly variable: readonly boolean[];
}

function prepare({ parameters, ...statement }: Statement): Prepared {
  const decoded = parameters.map(decode);
  const variable = decoded.map(
    (value) => JSON.stringify(value).match(IDENTIFIER) !== null || INSTANT.test(JSON.stringify(value)),
  );
  const parts = statement.text.split(/\$\d+/);
  return { ...statement, strings: Object.assign(parts, { raw: parts }), parameters: decoded, variable };
}

const BEGIN = /^begin\b/;
const COMMIT = /^commit$/;

export class Replay {
  private readonly sql: Sql;
  private readonly startedAt: number;
  private readonly steps: readonly (readonly Prepared[])[];

  constructor({ url, recording, pool = 10 }: ReplaySettings) {
    this.sql = connectPostgres(url, pool, 'bench-bare');
    this.startedAt = recording.startedAt;
    this.steps = recording.steps.map(({ statements }) => statements.map(prepare));
  }

  /**
   * Sends the SQL of one recorded step, in as many round trips as were recorded.
   *
   * @param seed a seed from {@link newSeed}; the same seed gives the same identifiers
   * @returns the last row of the last SQL statement that returned rows
   */
  async playStep(index: number, instance: Instance, seed: string): Promise<unknown> {
    const statements = this.steps[index];
    if (statements === undefined) throw new Error(`no step ${index} was recorded`);
    const rename = createRenaming(this.startedAt, instance, seed);
    let last: unknown = null;
    for (let at = 0; at < statements.length; ) {
      const isBegin = BEGIN.test(statements[at]?.text ?? '');
      const boundary = isBegin ? COMMIT : BEGIN;
      const end = statements.findIndex(({ text }, other) => other > at && boundary.test(text));
      const part = statements.slice(isBegin ? at + 1 : at, end < 0 ? statements.length : end);
      const row = isBegin
        ? await this.sql.begin((tx) => this.send(tx, part, rename))
        : await this.send(this.sql, part, rename);
      last = row ?? last;
      at = end < 0 ? statements.length : isBegin ? end + 1 : end;
    }
    return last;
  }

  /** Sends the SQL of all recorded steps in order. Returns the last returned row. */
  async play(instance: Instance, seed: string): Promise<unknown> {
    let last: unknown = null;
    for (const index of this.steps.keys()) last = (await this.playStep(index, instance, seed)) ?? last;
    return last;
  }

  private async send(db: Sql | Tx, statements: readonly Prepared[], rename: Renaming): Promise<unknown> {
    let last: unknown = null;
    for (let at = 0; at < statements.length; ) {
      const next = statements.findIndex(({ isPipelined }, other) => other > at && !isPipelined);
      const trip = statements.slice(at, next < 0 ? statements.length : next);
      const results = await Promise.all(
        trip.map(({ strings, parameters, variable }) =>
          db(
            strings,
            ...parameters.map((value, index) => (variable[index] ? renameValue(value, rename) : value)),
          ),
        ),
      );
      last = results.findLast((rows) => rows.length > 0)?.at(-1) ?? last;
      at += trip.length;
    }
    return last;
  }

  close(): Promise<void> {
    return this.sql.end({ timeoutMs: 5_000 });
  }
}

/** Creates a seed, with which all new identifiers of a replay begin. It starts with the time, as Carecover's identifiers do. */
export function newSeed(): string {
  return newId('').slice(0, TIME_LENGTH) + randomBytes((SEED_LENGTH - TIME_LENGTH) / 2).toString('hex');
}

/**
 * Opens a replay of a recording. The `number` of each call selects its values in rotation, and determines how much later its instants are
 * than those of the first replay.
 */
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
