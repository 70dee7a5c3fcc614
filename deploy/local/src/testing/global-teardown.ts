/** Jest's global teardown. If jest is killed, the run's reaper stops the servers. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.carecoverTestRun?.children.close();
}
