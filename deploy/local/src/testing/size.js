Object.defineProperty(exports, '__esModule', { value: true });
exports.testSize = testSize;
/** Suites run at a size that fits CI, and at the full size where the soak asks for it. */
function testSize(sizes) {
  return process.env.CARECOVER_TEST_SIZE === 'soak' ? sizes.soak : sizes.ci;
}
