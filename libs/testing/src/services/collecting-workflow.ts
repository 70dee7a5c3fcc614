/** A workflow for tests of signals: it runs until it has received a number of changes, and returns them. */

import type { ResourceChange } from '@carecover/domain';
import { CHANGED } from '@carecover/temporal/workflow';
import { condition, defineSignal, setHandler } from '@temporalio/workflow';

const EXPECTED = 2;

export async function waiting(): Promise<string[]> {
  const received: string[] = [];
  setHandler(defineSignal<[readonly ResourceChange[]]>(CHANGED), (changes) => {
    received.push(...changes.map(({ what }) => what));
  });
  await condition(() => received.length >= EXPECTED);
  return received;
}
