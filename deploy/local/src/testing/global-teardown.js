Object.defineProperty(exports, '__esModule', { value: true });
exports.default = globalTeardown;
/** Jest calls it once after all suites. Where jest is killed instead, the run's reaper does the same. */
async function globalTeardown() {
  await globalThis.carecoverTestRun?.children.close();
}
