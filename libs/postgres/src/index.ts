export * from './connect';
export * from './deletions';
export * from './errors';
export * from './gauges';
export * from './lists';
export * from './notifications';
export * from './partial-transactions';
export type { Pipelined, Results } from './pipeline';
export * from './project-time';
export * from './search-text';
export {
  assignments,
  columns,
  constantText,
  type Db,
  type Fragment,
  identifier,
  insertedRows,
  insertedSet,
  jsonb,
  type Query,
  type Row,
  type Statement,
} from './statement';
export * from './together';
