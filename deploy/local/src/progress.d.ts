/** Runs a step and, while it lasts, says on standard error what it is doing and for how long. */
export declare function showing<T>(what: string, step: () => Promise<T>): Promise<T>;
