export declare class Narrator {
  private readonly print;
  private lastStatus;
  private steps;
  constructor(print: (line: string) => void);
  chapter(title: string): void;
  note(text: string): void;
  /** Does one step and prints its line; a failure is told with the step's words. */
  step<T>(words: string, work: () => PromiseLike<T>): Promise<T>;
  get count(): number;
  /** The client's `fetch`: trusts the local stack's certificate, and notes each answer's status for the step's line. */
  fetchTrusting(certificate: string): {
    readonly fetch: typeof fetch;
    close(): Promise<void>;
  };
}
/** Fails the journey where something is not as it must be. */
export declare function expect(condition: boolean, otherwise: string): asserts condition;
