/** A port that is free now; it stays so only as long as nobody else takes it. */
export declare function freePort(): Promise<number>;
/** Whether the port can be listened on now. */
export declare function isFree(port: number): Promise<boolean>;
export interface PortWish {
  /** The port that a setting names, which is then used or nothing. */
  setting?:
    | {
        name: string;
        port: number;
      }
    | undefined;
  /** Ports to take if they are free, the first one best. */
  preferred: readonly number[];
}
/** Gives out the ports of one stack, none twice. */
export declare class PortChooser {
  private readonly given;
  /** @throws StartFailure when the port that a setting names is taken */
  choose(wish: PortWish): Promise<number>;
  private find;
  private available;
}
