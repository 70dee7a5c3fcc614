/** Database metrics of remittances and of the ledger. */
import type { DatabaseGauge } from '@carecover/platform';

/** A scrape checks the claims of this many latest postings; `carecover ledger verify` checks the whole ledger. */
const LATEST_POSTINGS = 1_000;

export const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'carecover_deadline_overdue_seconds',
    help: 'Age of the most overdue deadline of a remittance whose status is still received; 0 if there is none',
    async read(sql) {
      const [row] = await sql<{ overdue: number }[]>`
        select coalesce(greatest(0, extract(epoch from platform.now() - min(deadline))), 0)::float8 as overdue
        from remittances where status = 'received'`;
      return row?.overdue ?? 0;
    },
  },
  {
    name: 'carecover_remittances_in_exception',
    help: 'Remittances whose settlements do not equal their total, or are late',
    async read(sql) {
      const [row] = await sql<{ count: number }[]>`
        select count(*) as count from remittances where status = 'exception'`;
      return Number(row?.count ?? 0);
    },
  },
  {
    name: 'carecover_ledger_differences',
    help: 'Claims with a recent posting whose balances are not the sum of all their postings',
    async read(sql) {
      const [row] = await sql<{ count: number }[]>`
        with recent as (
          select distinct claim_id from (select claim_id from postings order by id desc limit ${LATEST_POSTINGS}) latest
        ), sides as (
          select claim_id, destination as account, amount from postings where claim_id in (select claim_id from recent)
          union all
          select claim_id, source, -amount from postings where claim_id in (select claim_id from recent)
        ), sums as (
          select claim_id, account, sum(amount) as balance from sides group by claim_id, account
        )
        select count(distinct claim_id) as count
        from claim_accounts join recent using (claim_id)
        cross join lateral (values
          ('charges'::account, charges), ('payer_liability', payer_liability),
          ('patient_responsibility', patient_responsibility), ('adjustment', adjustment), ('remitted', remitted),
          ('cash_observed', cash_observed), ('recoverable', recoverable), ('provider', provider)
        ) held (account, balance)
        left join sums using (claim_id, account)
        where held.balance <> coalesce(sums.balance, 0)`;
      return Number(row?.count ?? 0);
    },
  },
];
