/** What the load generator runs: one thing done again and again, over a fixed number of connections. */

/** A source of load, opened once a measurement. */
export interface Load {
  /** How many things there are to do; null where one can go on for ever. */
  readonly size: number | null;
  /** Does the thing with this number, from 0 up. @throws where it did not go as it should: the measurement is then void */
  shoot(number: number): Promise<void>;
  close(): Promise<void>;
}

/** What a driver's module exports as `open`. Its options come from another process, so they are plain JSON. */
export type OpenLoad<Options> = (options: Options, connections: number) => Promise<Load>;
