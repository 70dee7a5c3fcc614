import { coverageStatuses } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { decideEligibility } from '../rules/eligibility';
import { findSnapshots, type SnapshotRow } from '../store/coverages';
import type { ObservationRow } from '../store/observations';
import { observation, useBenefits } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { snapshotOf } from './create-eligibility-check';

const running = useBenefits();

/** Few different values, so that coverages often have the same one. */
const coverage = fc.record({
  status: fc.constantFrom(...coverageStatuses),
  priority: fc.constantFrom(1, 2, null),
  from: fc.constantFrom(-30, 9, 10),
  until: fc.constantFrom(10, 11, 365),
  observedDaysAgo: fc.constantFrom(1, 2),
});

test('the decision from at most three snapshots is the decision from the snapshots of all coverages', async () => {
  const { benefits } = running;
  const now = await benefits.now();
  const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString();
  const scheduledAt = new Date(now + 10 * DAY_MS);
  const question = { scheduledAt, amount: 1 };
  await fc.assert(
    fc.asyncProperty(fc.array(coverage, { maxLength: 6 }), async (coverages) => {
      const member = newId('member-');
      for (const { status, priority, from, until, observedDaysAgo } of coverages.filter(
        (each) => each.from < each.until,
      )) {
        const input = observation(now, {
          member_reference: member,
          status,
          coordination_priority: priority,
          valid_from: inDays(from),
          valid_until: inDays(until),
          observed_at: inDays(-observedDaysAgo),
        });
        await benefits.call('createCoverage', input);
      }
      const all = await benefits.admin<(SnapshotRow & ObservationRow)[]>`
        select o.*, 0 as reserved from coverages c join coverage_observations o on o.id = c.snapshot_observation_id
        join members m on m.id = c.member_id where m.reference = ${member}`;
      const [first] = all;
      if (first === undefined) return;
      const { member_id: memberId, service_code: serviceCode, currency } = first;
      const benefit = { memberId, serviceCode, currency };
      const found = await findSnapshots(benefits.sql, benefits.caller.tenant, {
        ...benefit,
        scheduledAt,
        retrospective: false,
      });
      expect(found.length).toBeLessThanOrEqual(3);
      expect(decideEligibility(question, found.map(snapshotOf))).toEqual(
        decideEligibility(question, all.map(snapshotOf)),
      );
    }),
    { numRuns: 60 },
  );
});
