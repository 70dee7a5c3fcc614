/** The choice of a cell of a triangle by keys. Pure functions of the values: a cell before the first day of its row has none. */

/** A cell with a value, by the indexes of its origin and its valuation date. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

type Rows = readonly (readonly (number | null)[])[];

/** Returns the cells with a value, row by row: the order in which the heat map and the curves have them. */
export function cellsOf(rows: Rows): Cell[] {
  return rows.flatMap((values, row) =>
    values.flatMap((value, column) => (value === null ? [] : [{ row, column }])),
  );
}

const moves = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const;

/** A key that moves the choice: by one cell, to an end of the row (Home, End), or to an end of the column (Page Up, Page Down). */
export type Move = (typeof moves)[number];

export function isMove(key: string): key is Move {
  return moves.some((move) => move === key);
}

/** Returns the index of the cell to which the key moves, or the same index if there is no cell in that direction. */
export function moved(cells: readonly Cell[], index: number, move: Move): number {
  const from = cells[index];
  if (from === undefined) return index;
  const indexes = (isIn: (cell: Cell) => boolean) =>
    cells.flatMap((cell, each) => (isIn(cell) ? [each] : []));
  // A row and a column have no gaps, and both lists are in the order of the cells.
  const row = indexes((cell) => cell.row === from.row);
  const column = indexes((cell) => cell.column === from.column);
  const beside = (line: readonly number[], step: number) => line[line.indexOf(index) + step];
  const targets: Readonly<Record<Move, number | undefined>> = {
    ArrowLeft: beside(row, -1),
    ArrowRight: beside(row, 1),
    ArrowUp: beside(column, -1),
    ArrowDown: beside(column, 1),
    Home: row[0],
    End: row.at(-1),
    PageUp: column[0],
    PageDown: column.at(-1),
  };
  return targets[move] ?? index;
}
