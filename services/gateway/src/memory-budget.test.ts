import { MemoryBudget } from './memory-budget';

test('a project can take at most its limit, and other projects are not affected', () => {
  const budget = new MemoryBudget({ totalBytes: 100, projectBytes: 40 });
  const first = budget.startHold('busy');
  first.add(30);
  const second = budget.startHold('busy');
  expect(() => second.add(20)).toThrow('temporarily unavailable');
  budget.startHold('other').add(40);
  first.release();
  expect(() => second.add(40)).not.toThrow();
});

test('all projects can take at most the total, and rejected bytes are not counted', () => {
  const budget = new MemoryBudget({ totalBytes: 100, projectBytes: 60 });
  budget.startHold('one').add(60);
  const two = budget.startHold('two');
  expect(() => two.add(41)).toThrow('temporarily unavailable');
  expect(() => two.add(40)).not.toThrow();
  expect(() => budget.startHold('three').add(1)).toThrow('temporarily unavailable');
  two.release();
  expect(() => budget.startHold('three').add(40)).not.toThrow();
});

test('bytes that are added after the release are not counted', () => {
  const budget = new MemoryBudget({ totalBytes: 100, projectBytes: 40 });
  const lost = budget.startHold('project');
  lost.release();
  lost.add(40);
  expect(() => budget.startHold('project').add(40)).not.toThrow();
});
