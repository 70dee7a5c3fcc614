import { Children } from '../children';
export interface RunFolder {
  path: string;
  children: Children;
}
export declare function createRunFolder(): Promise<RunFolder>;
