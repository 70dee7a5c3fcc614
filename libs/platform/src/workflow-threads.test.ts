import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { startDevTemporal } from '@carecover/local/testing';
import { NativeConnection } from '@temporalio/worker';
import { bundleWorkflows } from './bundle-workflow';
import { createLog } from './log';
import { TemporalCommands } from './temporal';
import { startWorker } from './worker';
import { createWorkflowWorker, WatchedThread } from './workflow-threads';

test('workflow code that never returns does not stop the other workflows of the worker for long', async () => {
  const temporal = await startDevTemporal();
  const folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  const bundlePath = join(folder, 'bundle.js');
  writeFileSync(bundlePath, await bundleWorkflows([join(__dirname, 'testing/endless-workflows.ts')]));
  const settings = { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' };
  const commands = TemporalCommands.create(settings);
  const { workflow } = commands.client;
  const worker = startWorker({
    temporal: settings,
    taskQueue: 'endless',
    activities: {},
    bundlePath,
    identity: 'test',
    log: createLog('test', 'silent'),
  });
  try {
    const options = { taskQueue: 'endless', args: [], workflowTaskTimeout: '1s' } as const;
    const run = await workflow.start('endless', { ...options, workflowId: 'endless' });
    expect(await workflow.execute('short', { ...options, workflowId: 'short' })).toBe('done');
    await run.terminate();
  } finally {
    await worker.stop();
    await commands.close();
    await temporal.stop();
    rmSync(folder, { recursive: true });
  }
});

test('a worker that Temporal rejects leaves no thread behind', async () => {
  const temporal = await startDevTemporal();
  const folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  const codePath = join(folder, 'bundle.js');
  writeFileSync(codePath, await bundleWorkflows([join(__dirname, 'testing/endless-workflows.ts')]));
  const connection = await NativeConnection.connect({ address: temporal.address });
  const options = { connection, namespace: 'missing', taskQueue: 'q', workflowBundle: { codePath } };
  const end = jest.spyOn(Thread.prototype, 'terminate');
  try {
    await expect(createWorkflowWorker(options)).rejects.toThrow('missing');
    expect(end).toHaveBeenCalledTimes(1);
    const [thread] = end.mock.contexts;
    expect(thread?.threadId).toBe(-1);
  } finally {
    end.mockRestore();
    await connection.close();
    await temporal.stop();
    rmSync(folder, { recursive: true });
  }
});

describe('a watched workflow thread', () => {
  /** A thread that executes nothing: the test sends the responses. */
  class FakeThread extends EventEmitter {
    isEnded = false;
    private readonly received: { requestId: bigint }[] = [];

    postMessage(request: { requestId: bigint }): void {
      this.received.push(request);
    }

    respond(): void {
      const request = this.received.shift();
      this.emit('message', { requestId: request?.requestId, result: { type: 'ok' } });
    }

    async terminate(): Promise<void> {
      this.isEnded = true;
      this.emit('exit', 1);
    }
  }

  let thread: FakeThread;
  let watched: WatchedThread;
  const activate = () => watched.send({ type: 'dispose-workflow', runId: 'run' });
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    thread = new FakeThread();
    const logger = { error: () => undefined, trace: () => undefined };
    watched = new WatchedThread(thread as unknown as Thread, logger as never);
  });
  afterEach(() => jest.useRealTimers());

  test('is ended if one request takes five seconds', async () => {
    const request = expect(activate()).rejects.toThrow('exited');
    await pass(4_900);
    expect(thread.isEnded).toBe(false);
    await pass(200);
    expect(thread.isEnded).toBe(true);
    await request;
  });

  test('is not ended because requests wait for each other, however many they are', async () => {
    const requests = [1, 2, 3, 4].map(() => activate());
    for (const request of requests) {
      await pass(4_000);
      thread.respond();
      await request;
    }
    await pass(60_000);
    expect(thread.isEnded).toBe(false);
  });

  test('is not ended while it loads the workflow bundle', async () => {
    const init = watched.send({ type: 'init' } as never);
    await pass(60_000);
    thread.respond();
    await init;
    expect(thread.isEnded).toBe(false);
  });
});
