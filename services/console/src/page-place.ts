/** What the tables of a page know of the page: its address, and which of them is sought as CSV. */
import { type ComponentChildren, createContext } from 'preact';

/** A column of a table. */
export interface Column<T> {
  readonly label: string;
  /** Whether the cells of the column are numbers, which are aligned to the right. */
  readonly isNumber?: boolean;
  /** Whether the cells of the column are fields of a form, which a table as CSV does not have. */
  readonly isControl?: boolean;
  readonly cell: (row: T) => ComponentChildren;
}

/** The address of a page, with the filters of its lists. */
export interface Place {
  readonly address: string;
  readonly query: URLSearchParams;
}

/** The address of the page that is rendered; null where a page has no address, such as the answer to a form. */
export const PagePlace = createContext<Place | null>(null);

/** The table that is sought while a page is rendered for CSV; null otherwise. */
export const SoughtTable = createContext<{
  readonly name: string;
  readonly take: (columns: readonly Column<never>[], rows: readonly unknown[]) => void;
} | null>(null);
