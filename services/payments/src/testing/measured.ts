/** Runs work of a test, and prints its time, the processor seconds of this process, and how much more memory the process had meanwhile. */
export async function measured<T>(name: string, work: () => Promise<T>): Promise<T> {
  global.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  try {
    return await work();
  } finally {
    clearInterval(sampling);
    const seconds = (microseconds: number) => Math.round(microseconds / 100_000) / 10;
    const { user, system } = process.cpuUsage(usedBefore);
    const megabytes = Math.round((most - before) / 1024 ** 2);
    process.stdout.write(
      `${name}: ${seconds((performance.now() - startedAt) * 1_000)} s, ${seconds(user + system)} processor seconds, ${megabytes} MiB more resident\n`,
    );
  }
}
