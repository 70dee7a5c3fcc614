/**
 * Shows the progress of long steps. Nothing is printed in the first two seconds, so that a fast start prints no progress lines.
 */
const QUIET_MS = 2_000;
const REPEAT_MS = 30_000;

/** Runs a step, and prints its title and duration on standard error while it runs, from the second second on. */
export async function showProgress<T>(title: string, step: () => Promise<T>): Promise<T> {
  const startedMs = Date.now();
  const report = () => {
    const seconds = Math.round((Date.now() - startedMs) / 1000);
    process.stderr.write(seconds < 5 ? `… ${title}\n` : `… ${title} (${seconds} s)\n`);
  };
  let repeat: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    report();
    repeat = setInterval(report, REPEAT_MS);
  }, QUIET_MS);
  try {
    return await step();
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
  }
}
