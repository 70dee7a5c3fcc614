/** The interface of drivers: a driver repeats one operation over a fixed number of connections. */

/** The load that a driver makes in one measurement. */
export interface Load {
  /** The number of available operations; null if unlimited. */
  readonly size: number | null;
  /** Executes the operation with this number, counted from 0. @throws Error if it does not succeed; the measurement is then invalid */
  shoot(number: number): Promise<void>;
  close(): Promise<void>;
}

/** The type of the function `open`, which the module of a driver exports. The options are JSON, because another process sends them. */
export type OpenLoad<Options> = (options: Options, connections: number) => Promise<Load>;
