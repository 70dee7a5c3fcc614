/**
 * Records the SQL that Carecover sends, by command and service, so that a bare limit sends the same SQL as the measured version of
 * Carecover.
 */
import { connectPostgres, type Sql } from '@carecover/postgres';
import { encode, type Recording, type Statement } from './statement';

export class Recorder {
  /** The connections whose SQL is recorded, by service. Each service has one connection, which keeps the order of its SQL statements. */
  private readonly connections = new Map<string, Sql>();
  private readonly steps: {
    readonly command: string;
    readonly service: string;
    readonly statements: Statement[];
  }[] = [];
  private readonly startedAt = Date.now();
  private command: string | null = null;

  constructor(private readonly databaseUrl: (service: string) => string) {}

  /** Returns a connection whose SQL is recorded. The first schema in its search path is the schema of this service. */
  async sql(service: string): Promise<Sql> {
    const known = this.connections.get(service);
    if (known !== undefined) return known;
    let isBatchOpen = false;
    const sql = connectPostgres(this.databaseUrl(service), 1, 'bench-recorder', {
      listener: (text, parameters) => {
        const isPipelined = isBatchOpen;
        isBatchOpen = true;
        // Statements that are sent in the same turn of the event loop are recorded as pipelined: no result is read before the next turn.
        setImmediate(() => {
          isBatchOpen = false;
        });
        this.add(service, { text, parameters: parameters.map(encode), isPipelined });
      },
    });
    // A new connection first sends some SQL statements of its own. `select 1` causes this before the recording of a command starts.
    await sql`select 1`;
    this.connections.set(service, sql);
    return sql;
  }

  /** Starts the recording of a command: the SQL statements after this belong to it. */
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
