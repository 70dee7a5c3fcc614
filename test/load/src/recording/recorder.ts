/**
 * Records the SQL that this project sends, by command and service, so that a bare limit sends the same SQL, also after changes of the
 * project.
 */
import { connectPostgres, type Sql } from '@carecover/platform';
import { encode, type Recording, type Statement } from './statement';

export class Recorder {
  /** The recorded connections, by service. One connection per service keeps the order of the statements. */
  private readonly connections = new Map<string, Sql>();
  private readonly steps: {
    readonly command: string;
    readonly service: string;
    readonly statements: Statement[];
  }[] = [];
  private readonly startedAt = Date.now();
  private command: string | null = null;

  constructor(private readonly databaseUrl: (service: string) => string) {}

  /** Returns a connection whose search path has the service's schema. */
  async sql(service: string): Promise<Sql> {
    const known = this.connections.get(service);
    if (known !== undefined) return known;
    let isBatchOpen = false;
    const sql = connectPostgres(this.databaseUrl(service), 1, 'bench-recorder', (text, parameters) => {
      const isPipelined = isBatchOpen;
      isBatchOpen = true;
      // Results are read in a later turn of the event loop.
      setImmediate(() => {
        isBatchOpen = false;
      });
      this.add(service, { text, parameters: parameters.map(encode), isPipelined });
    });
    // Completes the connection's own statements before the recording.
    await sql`select 1`;
    this.connections.set(service, sql);
    return sql;
  }

  /** Starts a command. The following statements are recorded for it. */
  enter(command: string): void {
    this.command = command;
  }

  private add(service: string, statement: Statement): void {
    const { command } = this;
    if (command === null) return;
    const last = this.steps.at(-1);
    if (last?.command === command && last.service === service) last.statements.push(statement);
    else this.steps.push({ command, service, statements: [statement] });
  }

  /** Closes the connections and returns the recording. */
  async finish(): Promise<Recording> {
    this.command = null;
    await Promise.all([...this.connections.values()].map((sql) => sql.end()));
    return { startedAt: this.startedAt, steps: this.steps };
  }
}
