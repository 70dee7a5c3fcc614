/** The global teardown of Jest: stops the servers of a test run. If Jest is killed, the reaper process of the run stops them. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.carecoverTestRun?.children.close();
}
