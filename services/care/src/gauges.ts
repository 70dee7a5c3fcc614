/** What an operator watches of bookings. */
import type { DatabaseGauge } from '@carecover/platform';

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_cancellations_pending',
    help: 'Cancelled covered bookings of which benefits has not heard yet',
    async read(sql) {
      const [row] = await sql<{ count: number }[]>`
        select count(*) as count from bookings
        where status = 'cancelled' and payment_source = 'covered' and benefits_told_at is null`;
      return row?.count ?? 0;
    },
  },
];
