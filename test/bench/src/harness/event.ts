/** Creates events for the outbox. The data of each event contains the time of its commit. */
import { eventPayload } from '@carecover/events';

/** Returns the payload of an event about a claim, with the current time as `committed_at` in its data. */
export function createTimedEvent(id: string, resourceId: string): string {
  return eventPayload(id, {
    type: 'claim.submitted',
    environment: 'sandbox',
    resourceVersion: 1,
    createdAt: new Date(),
    data: {
      id: resourceId,
      object: 'claim',
      status: 'submitted',
      amount: { currency: 'KES', billed: 400_000 },
      committed_at: performance.timeOrigin + performance.now(),
    },
  });
}
