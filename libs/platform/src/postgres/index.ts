export * from './connect';
export * from './errors';
export type { Pipelined, Results } from './pipeline';
export {
  assignments,
  columns,
  constantText,
  type Db,
  type Fragment,
  identifier,
  insertedRows,
  jsonb,
  type Query,
  type Row,
  type Statement,
} from './statement';
export * from './together';
