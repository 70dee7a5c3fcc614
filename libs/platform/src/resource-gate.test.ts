import { ResourceGate } from './resource-gate';

function held() {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release };
}

test('eight commands of a resource run concurrently, thirty-two wait, and the next one is rejected', async () => {
  const gate = new ResourceGate();
  const { until, release } = held();
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await until;
    running -= 1;
  };
  const accepted = Array.from({ length: 40 }, () => gate.pass('clm_1', work));
  await expect(gate.pass('clm_1', work)).rejects.toMatchObject({ code: 'service_unavailable' });
  const another = gate.pass('clm_2', async () => 'served');
  await expect(another).resolves.toBe('served');
  release();
  await Promise.all(accepted);
  expect(most).toBe(8);
  await expect(gate.pass('clm_1', async () => 'free again')).resolves.toBe('free again');
});

test('when a command fails, the next one starts', async () => {
  const gate = new ResourceGate();
  const failures = Array.from({ length: 40 }, () =>
    gate.pass('clm_1', () => Promise.reject(new Error('no'))),
  );
  await Promise.allSettled(failures);
  await expect(gate.pass('clm_1', async () => 'served')).resolves.toBe('served');
});
