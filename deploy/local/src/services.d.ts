import type { ServiceName } from '@carecover/platform/migrate';
import type { Certificate } from './certificate';
import type { Child, Children } from './children';
import type { Secrets } from './secrets';
/** Those behind the gateway, in no order: each starts while the others are away. */
export declare const INNER_SERVICES: readonly ['care', 'benefits', 'claims', 'payments', 'webhooks'];
export type InnerService = (typeof INNER_SERVICES)[number];
export interface ServiceSurroundings {
  children: Children;
  secrets: Secrets;
  certificate: Certificate;
  logs: string;
  environment: 'sandbox' | 'production';
  mode: 'local' | 'test';
  /** Address of a database as this role. */
  databaseUrl: (service: ServiceName) => string;
  temporalAddress: string;
  natsUrl: string;
  /** Ports of each inner service's replicas. */
  innerPorts: Readonly<Record<InnerService, readonly number[]>>;
}
export interface ServiceProcess {
  service: ServiceName;
  /** From 0. */
  replica: number;
  port: number;
  /** The gateway answers about its health elsewhere than it serves the public. */
  healthPort: number;
}
/** Starts the process and waits until it is ready. `extra` settings go before all others. */
export declare function startService(
  process_: ServiceProcess,
  around: ServiceSurroundings,
  extra: NodeJS.ProcessEnv,
): Promise<Child>;
