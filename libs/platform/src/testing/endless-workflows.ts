import { HandlerUnfinishedPolicy } from '@temporalio/common';
import { condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';

/** Workflows for tests: one whose code never returns, one whose code returns, and one whose runs end before they execute their Update. */
export async function endless(): Promise<void> {
  for (;;);
}

export async function short(): Promise<string> {
  return 'done';
}

export async function ending(): Promise<void> {
  const { mustEnd } = proxyLocalActivities<{ mustEnd(): Promise<boolean> }>({ startToCloseTimeout: '5s' });
  let isExecuted = false;
  let canExecute = false;
  const execute = async () => {
    await condition(() => canExecute);
    isExecuted = true;
  };
  setHandler(defineUpdate('execute'), execute, { unfinishedPolicy: HandlerUnfinishedPolicy.ABANDON });
  if (await mustEnd()) return;
  canExecute = true;
  await condition(() => isExecuted);
}
