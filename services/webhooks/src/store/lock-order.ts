/** In what order rows of deliveries are locked by whoever needs several, so that no two such wait for each other. */

interface Named {
  readonly endpointId: string;
  readonly eventId: string;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** By endpoint, then by event; as their primary key is ordered. */
export function inLockOrder<Delivery extends Named>(deliveries: readonly Delivery[]): Delivery[] {
  return [...deliveries].sort((a, b) => compare(a.endpointId, b.endpointId) || compare(a.eventId, b.eventId));
}
