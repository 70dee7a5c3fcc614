import { type FreeSpace } from './disk';
export interface Toolchain {
  env: NodeJS.ProcessEnv;
  freeSpace: FreeSpace;
  cache: string;
}
export declare function toolchain(env?: NodeJS.ProcessEnv): Toolchain;
/** Path of the `temporal` executable. @throws StartFailure */
export declare const temporalExecutable: (tools?: Toolchain) => Promise<string>;
/** Path of the `nats-server` executable. @throws StartFailure */
export declare const natsExecutable: (tools?: Toolchain) => Promise<string>;
/**
 * Path of an executable that runs Temporal's time-skipping test server on the port in its first argument. It has no way
 * to tell its version, so none is looked for on the PATH. @throws StartFailure
 */
export declare function temporalTestServerExecutable(tools?: Toolchain): Promise<string>;
