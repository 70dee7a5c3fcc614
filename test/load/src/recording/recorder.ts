/**
 * Writes down the very SQL that our code sends, so that a bare limit can send the same, and can't fall behind when ours
 * changes.
 */
import { connectPostgres, type Sql } from '@carecover/platform';
import { encode, type Recording, type Statement } from './statement';

export class Recorder {
  /** Our code works on this; by schema. One connection each, so that statements stand in the order in which they were sent. */
  private readonly connections = new Map<string, Sql>();
  private readonly steps: { readonly name: string; readonly statements: Statement[] }[] = [];
  private readonly startedAt = Date.now();

  constructor(private readonly databaseUrl: (service: string) => string) {}

  /** A connection that sees this service's tables. */
  async sql(service: string): Promise<Sql> {
    const known = this.connections.get(service);
    if (known !== undefined) return known;
    const sql = connectPostgres(this.databaseUrl(service), 1, 'bench-recorder', (text, parameters, types) => {
      this.steps.at(-1)?.statements.push({ text, parameters: parameters.map(encode), types: [...types] });
    });
    // What a new connection asks for itself is not part of the work.
    await sql`select 1`;
    this.connections.set(service, sql);
    return sql;
  }

  /** From now on what is sent is noted under this name. */
  enter(step: string): void {
    this.steps.push({ name: step, statements: [] });
  }

  /** Ends it; gives what was noted. */
  async finish(): Promise<Recording> {
    await Promise.all([...this.connections.values()].map((sql) => sql.end()));
    return { startedAt: this.startedAt, steps: this.steps };
  }
}
