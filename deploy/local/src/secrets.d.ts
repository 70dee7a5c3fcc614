import { type ServiceName } from '@carecover/platform/migrate';
export interface Secrets {
  postgresAdmin: string;
  /** The database password of each service's role. */
  roles: Record<ServiceName, string>;
  context: string;
  hash: string;
  /** In the form of WEBHOOK_ENCRYPTION_KEYS. */
  webhookKeys: string;
}
export declare function secretsIn(file: string): Promise<Secrets>;
