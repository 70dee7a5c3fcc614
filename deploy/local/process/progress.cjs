/**
 * Shows the progress of long steps: on a terminal one line that is rewritten every second, elsewhere a line per step every 30 seconds.
 * Nothing is printed in the first two seconds of a step, so that a fast start prints no progress lines.
 */
'use strict';

const QUIET_MS = 2_000;
const REWRITE_MS = 1_000;
const REPEAT_MS = 30_000;
const ERASE_LINE = '\r\u001b[2K';

/**
 * Returns a function that runs a step and shows its progress on an output. Steps can run at the same time. Its function `erase` erases the
 * progress line of a terminal, before another line is printed there.
 */
function createProgress(output) {
  const steps = new Set();
  let timer;
  let isLineShown = false;

  const erase = () => {
    if (isLineShown) output.write(ERASE_LINE);
    isLineShown = false;
  };
  const draw = () => {
    const now = Date.now();
    const due = [...steps].filter(({ startedMs }) => now - startedMs >= QUIET_MS);
    if (due.length === 0) return;
    if (output.isTTY === true) {
      const line = `… ${due.map((step) => formatStep(step, now)).join(' · ')}`;
      output.write(`${ERASE_LINE}${line.slice(0, (output.columns ?? 80) - 1)}`);
      isLineShown = true;
      return;
    }
    for (const step of due.filter(({ shownMs }) => now - shownMs >= REPEAT_MS)) {
      step.shownMs = now;
      output.write(`… ${formatStep(step, now)}\n`);
    }
  };

  const showProgress = async (title, run) => {
    const step = { title, done: '', startedMs: Date.now(), shownMs: 0 };
    steps.add(step);
    timer ??= setInterval(draw, REWRITE_MS);
    try {
      return await run((done) => {
        step.done = done;
      });
    } finally {
      steps.delete(step);
      if (steps.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      erase();
    }
  };
  return Object.assign(showProgress, { erase });
}

function formatStep({ title, done, startedMs }, now) {
  const seconds = Math.round((now - startedMs) / 1000);
  const details = [...(done === '' ? [] : [done]), ...(seconds < 5 ? [] : [`${seconds} s`])];
  return details.length === 0 ? title : `${title} (${details.join(', ')})`;
}

module.exports = { createProgress, showProgress: createProgress(process.stderr) };
