export interface ProcessRecord {
  pid: number;
  /** Start time of the process, as {@link startTime} returns it. */
  started: string;
}

export function startTime(pid: number): string | undefined;
export function isRunning(record: ProcessRecord): boolean;
export function commandLine(pid: number): string | undefined;
