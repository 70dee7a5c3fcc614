import { destinationOf } from '../address/endpoint-url';
import { ATTEMPTS_PER_DESTINATION, DestinationSlots } from './destination-slots';

test.each([
  'https://hooks.example.com/a',
  'https://HOOKS.example.com:443/b?c=d',
  'HTTPS://hooks.example.com./a',
  'https://hooks%2Eexample.com',
  'https://hooks。example.com',
])('%s has the same destination as the other spellings of its host and port', (url) => {
  expect(destinationOf(url)).toBe('hooks.example.com:443');
});

test.each([
  ['http://localhost:80/', 'localhost:80'],
  ['https://example.com:8443/', 'example.com:8443'],
  ['https://0x08.8.2056/', '8.8.8.8:443'],
  ['https://[2606:4700:0:0::1]/', '[2606:4700::1]:443'],
])('the destination of %s is %s', (url, destination) => expect(destinationOf(url)).toBe(destination));

test('every destination has its own limit of slots', () => {
  const slots = new DestinationSlots();
  const taken = Array.from({ length: 20 }, () => slots.tryAcquire('a:443')).filter((isTaken) => isTaken);
  expect(taken).toHaveLength(ATTEMPTS_PER_DESTINATION);
  expect(slots.tryAcquire('b:443')).toBe(true);
  slots.release('a:443');
  expect([slots.tryAcquire('a:443'), slots.tryAcquire('a:443')]).toEqual([true, false]);
});

test('projects that wait for one destination take turns', async () => {
  const slots = new DestinationSlots(1);
  await slots.acquire('a:443', 'prj_first');
  const served: string[] = [];
  const waits = ['prj_busy', 'prj_busy', 'prj_busy', 'prj_quiet'].map((project) =>
    slots.acquire('a:443', project).then(() => {
      served.push(project);
      slots.release('a:443');
    }),
  );
  slots.release('a:443');
  await Promise.all(waits);
  expect(served).toEqual(['prj_busy', 'prj_quiet', 'prj_busy', 'prj_busy']);
});

test('a request without a slot in time is rejected with the name of the destination', async () => {
  const slots = new DestinationSlots(1);
  await slots.acquire('a:443', 'prj_1');
  await expect(slots.acquire('a:443', 'prj_2', 10)).rejects.toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('a:443'),
  });
});
