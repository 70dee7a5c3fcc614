export { claim } from './claim';
export * from './messages';
export type * from './ports';
export type * from './steps';
