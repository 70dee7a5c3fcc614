/** Tests of the choice of a cell by keys: it never leaves the triangle, and every cell with a value can be reached. */
import { cellsOf, isMove, type Move, moved } from './cells';

/** The values of three origins at three valuation dates. */
const ROWS = [
  [1, 2, 3],
  [null, 4, 5],
  [null, null, 6],
];
const cells = cellsOf(ROWS);
const at = (row: number, column: number) =>
  cells.findIndex((cell) => cell.row === row && cell.column === column);

test('the cells with a value are in the order in which a drawing has them', () => {
  expect(cells).toEqual([
    { row: 0, column: 0 },
    { row: 0, column: 1 },
    { row: 0, column: 2 },
    { row: 1, column: 1 },
    { row: 1, column: 2 },
    { row: 2, column: 2 },
  ]);
});

test.each<[Move, [number, number], [number, number]]>([
  ['ArrowRight', [0, 0], [0, 1]],
  ['ArrowLeft', [1, 2], [1, 1]],
  ['ArrowDown', [0, 2], [1, 2]],
  ['ArrowUp', [2, 2], [1, 2]],
  ['Home', [1, 2], [1, 1]],
  ['End', [0, 0], [0, 2]],
  ['PageDown', [0, 1], [1, 1]],
  ['PageUp', [2, 2], [0, 2]],
  // At an edge the choice stays.
  ['ArrowRight', [0, 2], [0, 2]],
  ['ArrowLeft', [1, 1], [1, 1]],
  ['ArrowDown', [0, 0], [0, 0]],
  ['ArrowUp', [0, 1], [0, 1]],
])('%s from %j is %j', (move, from, to) => {
  expect(moved(cells, at(...from), move)).toBe(at(...to));
});

test('every cell can be reached from the first one by arrow keys', () => {
  const reached = new Set([0]);
  for (const index of reached)
    for (const move of ['ArrowRight', 'ArrowDown'] as const) reached.add(moved(cells, index, move));
  expect(reached.size).toBe(cells.length);
});

test('other keys are no moves', () => {
  expect(['ArrowUp', 'Home', 'PageDown'].map(isMove)).toEqual([true, true, true]);
  expect(['Tab', 'Enter', 'a', 'toString'].map(isMove)).toEqual([false, false, false, false]);
});
