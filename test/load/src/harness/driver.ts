/** The interface of drivers: a driver repeats one operation over a fixed number of connections. */

/** A source of load, opened once per measurement. */
export interface Load {
  /** The number of available operations; null if unlimited. */
  readonly size: number | null;
  /** Executes the operation with this number, from 0. @throws if it did not succeed, which makes the measurement invalid */
  shoot(number: number): Promise<void>;
  close(): Promise<void>;
}

/** The type of `open`, which a driver's module exports. The options are JSON, because they come from another process. */
export type OpenLoad<Options> = (options: Options, connections: number) => Promise<Load>;
