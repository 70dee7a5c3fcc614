import { connectStream, ensureStream, STREAM, streamManager } from '@carecover/events';
import { connectPostgres } from '@carecover/postgres';
import { Client, Connection } from '@temporalio/client';
import { startTime } from '../../../../deploy/local/process/identity.cjs';
import { createTestDatabase, startDevTemporal, startTestNats, startTimeSkippingTemporal } from '../servers';

test("a test database has each service's schema, and a clock with an offset", async () => {
  const database = await createTestDatabase({ services: ['claims', 'care'] });
  const sql = connectPostgres(database.url('claims'), 1, 'test');
  try {
    await database.setClockOffset(86_400_000);
    const [row] = await sql`select extract(epoch from platform.now() - clock_timestamp()) as ahead,
      (select count(*)::int from commands) as commands, current_user as role`;
    expect(row).toMatchObject({ commands: 0, role: 'claims' });
    expect(Math.round(Number(row?.ahead))).toBe(86_400);
    await expect(sql`select 1 from care.commands`).rejects.toThrow(/permission denied/);
  } finally {
    await sql.end();
    await database.drop();
  }
});

test('test databases with the same schemas share no rows', async () => {
  const databases = await Promise.all([1, 2, 3].map(() => createTestDatabase({ services: ['care'] })));
  await Promise.all(databases.map((database, index) => database.setClockOffset(index * 1_000)));
  const offsets = await Promise.all(
    databases.map(async (database) => {
      const sql = connectPostgres(database.adminUrl, 1, 'test');
      const [row] = await sql`select ms from platform.clock_offset`;
      await sql.end();
      await database.drop();
      return Number(row?.ms);
    }),
  );
  expect(offsets).toEqual([0, 1_000, 2_000]);
});

test('a stream survives a kill of the test NATS server', async () => {
  const server = await startTestNats();
  try {
    const before = await connectStream(server.access('operator'), 'test');
    await ensureStream(before);
    await before.js.publish('carecover.events.claims.claim.submitted', 'kept');
    await before.close();

    const { pid } = server;
    await server.kill();
    await server.restart();
    expect(server.pid).not.toBe(pid);

    const after = await connectStream(server.access('operator'), 'test');
    const { state } = await (await streamManager(after)).streams.info(STREAM);
    expect(state.messages).toBe(1);
    await after.close();
  } finally {
    await server.stop();
  }
});

test('a started workflow survives a kill of the test Temporal server', async () => {
  const server = await startDevTemporal();
  try {
    const start = async () =>
      new Client({ connection: await Connection.connect({ address: server.address }) });
    const before = await start();
    await before.workflow.start('waits', {
      workflowId: 'one',
      taskQueue: 'no-worker',
      searchAttributes: { ClaimStatus: ['submitted'] },
    });
    await before.connection.close();
    await server.kill();
    await server.restart();
    const after = await start();
    const description = await after.workflow.getHandle('one').describe();
    expect(description.status.name).toBe('RUNNING');
    await after.connection.close();
  } finally {
    await server.stop();
  }
});

test('the time-skipping server skips months and has the search attributes', async () => {
  const environment = await startTimeSkippingTemporal();
  try {
    const before = await environment.currentTimeMs();
    await environment.sleep('91d');
    expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(91 * 86_400_000);
    // This test is the last one of the suite, because a workflow without a worker prevents time skipping.
    const handle = await environment.client.workflow.start('waits', {
      workflowId: 'one',
      taskQueue: 'no-worker',
      searchAttributes: { DueAt: [new Date(0)], Environment: ['sandbox'] },
    });
    expect((await handle.describe()).searchAttributes.Environment).toEqual(['sandbox']);
  } finally {
    await environment.teardown();
  }
});

test('a stopped test server has no process', async () => {
  const server = await startTestNats();
  await server.stop();
  expect(startTime(server.pid)).toBeUndefined();
});
