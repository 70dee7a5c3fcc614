import { setTimeout as sleep } from 'node:timers/promises';
import { createProgress } from '../process/progress.cjs';

/** Runs a step that lasts until progress is printed, and an immediate step at the same time. Returns the progress that is printed. */
async function printSteps(isTTY: boolean): Promise<string> {
  let printed = '';
  const output = { isTTY, columns: 30, write: (text: string) => (printed += text) };
  const showProgress = createProgress(output);
  await Promise.all([
    showProgress('fetching', async (report) => {
      report('1 of 2 MB');
      while (printed === '') await sleep(50);
    }),
    showProgress('reading', async () => undefined),
  ]);
  return printed;
}

test('a step of more than two seconds is printed in a line of its own with what is done', async () => {
  expect(await printSteps(false)).toBe('… fetching (1 of 2 MB)\n');
});

test('on a terminal the line is rewritten, and erased at the end', async () => {
  const lines = (await printSteps(true)).split('\r\u001b[2K');
  expect([...new Set(lines)]).toEqual(['', '… fetching (1 of 2 MB)']);
  expect(lines.at(-1)).toBe('');
});

test('a line that is printed during a step is not mixed with the progress line of a terminal', async () => {
  let printed = '';
  const output = { isTTY: true, columns: 30, write: (text: string) => (printed += text) };
  const showProgress = createProgress(output);
  await showProgress('building', async () => {
    while (printed === '') await sleep(50);
    showProgress.erase();
    output.write('another line\n');
  });
  expect(printed).toBe('\r\u001b[2K… building\r\u001b[2Kanother line\n');
});

test('the result and the error of a step are passed on', async () => {
  const showProgress = createProgress({ write: () => true });
  await expect(showProgress('one', async () => 1)).resolves.toBe(1);
  await expect(
    showProgress('two', async () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
});
