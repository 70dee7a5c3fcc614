import { ATTEMPTS_PER_DESTINATION, Destinations, destinationOf } from './destinations';

test.each([
  'https://hooks.example.com/a',
  'https://HOOKS.example.com:443/b?c=d',
  'HTTPS://hooks.example.com./a',
  'https://hooks%2Eexample.com',
  'https://hooks。example.com',
])('%s has the destination of every other spelling of its host and port', (url) => {
  expect(destinationOf(url)).toBe('hooks.example.com:443');
});

test.each([
  ['http://localhost:80/', 'localhost:80'],
  ['https://example.com:8443/', 'example.com:8443'],
  ['https://0x08.8.2056/', '8.8.8.8:443'],
  ['https://[2606:4700:0:0::1]/', '[2606:4700::1]:443'],
])('%s leads to %s', (url, destination) => expect(destinationOf(url)).toBe(destination));

test('a destination has its slots and no more; another one has its own', () => {
  const destinations = new Destinations();
  const taken = Array.from({ length: 20 }, () => destinations.tryAcquire('a:443')).filter(
    (isTaken) => isTaken,
  );
  expect(taken).toHaveLength(ATTEMPTS_PER_DESTINATION);
  expect(destinations.tryAcquire('b:443')).toBe(true);
  destinations.give('a:443');
  expect([destinations.tryAcquire('a:443'), destinations.tryAcquire('a:443')]).toEqual([true, false]);
});

test('projects that wait for one destination take turns', async () => {
  const destinations = new Destinations(1);
  await destinations.take('a:443', 'prj_first');
  const served: string[] = [];
  const waits = ['prj_busy', 'prj_busy', 'prj_busy', 'prj_quiet'].map((project) =>
    destinations.take('a:443', project).then(() => {
      served.push(project);
      destinations.give('a:443');
    }),
  );
  destinations.give('a:443');
  await Promise.all(waits);
  expect(served).toEqual(['prj_busy', 'prj_quiet', 'prj_busy', 'prj_busy']);
});

test('whoever gets no slot in time is told which destination is full', async () => {
  const destinations = new Destinations(1);
  await destinations.take('a:443', 'prj_1');
  await expect(destinations.take('a:443', 'prj_2', 10)).rejects.toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('a:443'),
  });
});
