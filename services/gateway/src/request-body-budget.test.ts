import { RequestBodyBudget } from './request-body-budget';

test('one project holds its share at the most, and others have theirs', () => {
  const bodies = new RequestBodyBudget({ totalBytes: 100, projectBytes: 40 });
  const first = bodies.of('greedy');
  first.add(30);
  const second = bodies.of('greedy');
  expect(() => second.add(20)).toThrow('temporarily unavailable');
  bodies.of('other').add(40);
  first.release();
  expect(() => second.add(40)).not.toThrow();
});

test('all together hold no more than there is, and a refused part counts for nothing', () => {
  const bodies = new RequestBodyBudget({ totalBytes: 100, projectBytes: 60 });
  bodies.of('one').add(60);
  const two = bodies.of('two');
  expect(() => two.add(41)).toThrow('temporarily unavailable');
  expect(() => two.add(40)).not.toThrow();
  expect(() => bodies.of('three').add(1)).toThrow('temporarily unavailable');
  two.release();
  expect(() => bodies.of('three').add(40)).not.toThrow();
});
