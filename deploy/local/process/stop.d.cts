import type { ProcessRecord } from './identity.cjs';

export interface ChildRecord extends ProcessRecord {
  name: string;
  /** The signal that stops the process gracefully. */
  stopSignal: NodeJS.Signals;
}

export function readRecords(path: string): ChildRecord[];
export function stopRecorded(records: readonly ChildRecord[], graceMs?: number): Promise<string[]>;
