/** The interface of drivers. A driver repeats one operation, such as a request, over a fixed number of connections. */

/** The load that a driver makes in one measurement. */
export interface Load {
  /** The maximum number of times that the operation can be executed; null if it is unlimited. */
  readonly size: number | null;
  /**
   * Executes the operation once. `number` counts the executions from 0. @throws Error if the operation fails; the measurement is then
   * invalid
   */
  shoot(number: number): Promise<void>;
  close(): Promise<void>;
}

/** The type of the function `open`, which the module of a driver exports. The options are JSON, because another process sends them. */
export type OpenLoad<Options> = (options: Options, connections: number) => Promise<Load>;
