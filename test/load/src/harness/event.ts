/** An event as services put it into their outbox, that also says when it was committed. */
import { eventPayload } from '@carecover/platform';

export function eventAbout(id: string, resourceId: string): string {
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
