export type * from './ports';
