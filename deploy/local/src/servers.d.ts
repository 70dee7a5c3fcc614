import type { Children } from './children';
import type { Home } from './home';
import { Supervised } from './supervised';
export interface ServerPorts {
  postgresql: number;
  nats: number;
  temporal: number;
  temporalUi: number;
}
export interface Servers {
  postgresql: Supervised;
  nats: Supervised;
  temporal: Supervised;
}
/** Starts all three, building first what isn't there yet, and waits until they answer. */
export declare function startServers(options: {
  children: Children;
  home: Home;
  ports: ServerPorts;
  adminPassword: string;
  print: (line: string) => void;
}): Promise<Servers>;
