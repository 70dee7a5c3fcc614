import type { ProcessRecord } from './identity.cjs';

export interface ChildRecord extends ProcessRecord {
  name: string;
  /** The signal that stops it gracefully. */
  stopSignal: NodeJS.Signals;
}

export function readRecords(path: string): ChildRecord[];
export function stopRecorded(records: readonly ChildRecord[], graceMs?: number): Promise<string[]>;
