/** What a process holds of the memory, watched while something else is measured. Read from Linux's /proc; null on other systems. */
import { readFileSync } from 'node:fs';

const WATCH_MS = 50;

function residentBytes(pid: number): number | null {
  try {
    const [kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.slice(1) ?? [];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    // It has ended, or this system tells nothing.
    return null;
  }
}

/** The most that the process held while the work lasted, in bytes. */
export async function mostMemory<T>(
  pid: number | undefined,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly bytes: number | null }> {
  let most: number | null = null;
  const look = () => {
    const now = pid === undefined ? null : residentBytes(pid);
    if (now !== null) most = Math.max(most ?? 0, now);
  };
  look();
  const watching = setInterval(look, WATCH_MS);
  try {
    return { result: await work(), bytes: most };
  } finally {
    clearInterval(watching);
  }
}
