/**
 * Records the SQL that this project sends, so that a bare limit sends the same SQL, also after changes of the project.
 */
import { connectPostgres, type Sql } from '@carecover/platform';
import { encode, type Recording, type Statement } from './statement';

export class Recorder {
  /** The recorded connections, by schema. One connection per schema keeps the order of the statements. */
  private readonly connections = new Map<string, Sql>();
  private readonly steps: { readonly name: string; readonly statements: Statement[] }[] = [];
  private readonly startedAt = Date.now();

  constructor(private readonly databaseUrl: (service: string) => string) {}

  /** Returns a connection whose search path has the service's schema. */
  async sql(service: string): Promise<Sql> {
    const known = this.connections.get(service);
    if (known !== undefined) return known;
    const sql = connectPostgres(this.databaseUrl(service), 1, 'bench-recorder', (text, parameters, types) => {
      this.steps.at(-1)?.statements.push({ text, parameters: parameters.map(encode), types: [...types] });
    });
    // Completes the connection's own statements before the recording.
    await sql`select 1`;
    this.connections.set(service, sql);
    return sql;
  }

  /** Starts a step. The following statements are recorded under its name. */
  enter(step: string): void {
    this.steps.push({ name: step, statements: [] });
  }

  /** Ends the recording and returns it. */
  async finish(): Promise<Recording> {
    await Promise.all([...this.connections.values()].map((sql) => sql.end()));
    return { startedAt: this.startedAt, steps: this.steps };
  }
}
