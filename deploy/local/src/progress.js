Object.defineProperty(exports, '__esModule', { value: true });
exports.showing = showing;
/**
 * Shows what a long step is doing. A step is silent for its first two seconds, so that a quick start prints nothing
 * that nobody has time to read.
 */
const QUIET_MS = 2_000;
const REPEAT_MS = 30_000;
/** Runs a step and, while it lasts, says on standard error what it is doing and for how long. */
async function showing(what, step) {
  const began = Date.now();
  const say = () => {
    const seconds = Math.round((Date.now() - began) / 1000);
    process.stderr.write(seconds < 5 ? `… ${what}\n` : `… ${what} (${seconds} s)\n`);
  };
  let repeat;
  const first = setTimeout(() => {
    say();
    repeat = setInterval(say, REPEAT_MS);
  }, QUIET_MS);
  try {
    return await step();
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
  }
}
