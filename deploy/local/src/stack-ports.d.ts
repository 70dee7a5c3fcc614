import type { ServerPorts } from './servers';
import { type InnerService } from './services';
import type { LocalSettings } from './settings';
export interface StackPorts {
  servers: ServerPorts;
  inner: Record<InnerService, number[]>;
  gateways: {
    port: number;
    healthPort: number;
  }[];
}
/** `usual: false` keeps off the ports that somebody's own stack on this machine would take. @throws StartFailure */
export declare function chooseStackPorts(options: {
  file: string;
  settings: LocalSettings['ports'];
  replicas: number;
  usual: boolean;
}): Promise<StackPorts>;
