/** Runs a command and ends the process with code 1 where it fails. */
export declare function main(command: 'start' | 'journey', args: readonly string[]): Promise<void>;
