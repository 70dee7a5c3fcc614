export interface ProcessRecord {
  pid: number;
  /** The result of {@link startTime}. */
  started: string;
}

export function startTime(pid: number): string | undefined;
export function isRunning(record: ProcessRecord): boolean;
export function commandLine(pid: number): string | undefined;
