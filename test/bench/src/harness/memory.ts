/** Measures the memory of a process with /proc (Linux) while other work runs. On other systems, the result is null. */
import { readFileSync } from 'node:fs';

const WATCH_MS = 50;

/** Returns the resident memory in bytes of the process `pid`; null if it cannot be read. */
export function residentBytes(pid: number): number | null {
  try {
    const [kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.slice(1) ?? [];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    // The file cannot be read if the process has ended or the system has no /proc. The memory is then unknown.
    return null;
  }
}

/**
 * Runs `work`, and returns its result with the maximum resident memory in bytes of the process `pid` during the work. The memory is null if
 * it cannot be read.
 */
export async function measurePeakMemory<T>(
  pid: number | undefined,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly bytes: number | null }> {
  let peak: number | null = null;
  const sample = () => {
    const now = pid === undefined ? null : residentBytes(pid);
    if (now !== null) peak = Math.max(peak ?? 0, now);
  };
  sample();
  const watching = setInterval(sample, WATCH_MS);
  try {
    return { result: await work(), bytes: peak };
  } finally {
    clearInterval(watching);
  }
}
