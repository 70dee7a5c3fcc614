/** Events: what a rule or use case appends to the outbox, and one message of the stream. */
import type { Environment, EventType } from '@carecover/contract';
import type { Tenant } from './tenant';

export interface NewEvent {
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly type: EventType;
  readonly resourceId: string;
  /** The resource's version, which increases with each of its events; read from the locked row of the resource. */
  readonly resourceVersion: number;
  readonly createdAt: Date;
  /**
   * The fields that the contract's event catalogue lists for the event's type. They never contain claim lines, evidence, or an identifier
   * of a member or of clinical data.
   */
  readonly data: Readonly<Record<string, unknown>>;
}

/** One message of the stream. `payload` is the event's JSON, byte for byte as receivers get it. */
export interface StreamedEvent {
  readonly project_id: string;
  readonly resource_id: string;
  readonly payload: string;
}
