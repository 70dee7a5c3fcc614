export interface ProcessRecord {
  pid: number;
  /** As {@link startTime} gave it. */
  started: string;
}

export function startTime(pid: number): string | undefined;
export function stillRuns(record: ProcessRecord): boolean;
export function commandLine(pid: number): string | undefined;
