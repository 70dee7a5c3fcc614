/** The benefits service put together: its routes, its worker's activities and its sweeps over one database and engine. */
import {
  type Config,
  Engine,
  type Log,
  ServiceClient,
  type ServiceParts,
  type Sql,
} from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { benefitsForClaims } from './activities/claims';
import { preauthorizationSteps } from './activities/preauthorization-steps';
import { BENEFIT_GAUGES } from './gauges';
import { Workflows } from './preauthorization-workflow';
import { cancelledBookingRoute } from './routes/cancelled-bookings';
import { consentHandlers } from './routes/consents';
import { coverageHandlers } from './routes/coverages';
import { eligibilityCheckHandlers } from './routes/eligibility-checks';
import { preauthorizationHandlers } from './routes/preauthorizations';
import type { SETTINGS } from './settings';
import { benefitsSweeps } from './sweeps';

export function buildBenefits(
  config: Config<typeof SETTINGS>,
  { sql, log }: { readonly sql: Sql; readonly log: Log },
): ServiceParts {
  const engine = Engine.create(config);
  const care = new ServiceClient('care', config.CARE_URL, config.CONTEXT_SECRET);
  const workflows = new Workflows(engine, log);
  return {
    handlers: {
      ...coverageHandlers({ sql, hashSecret: config.HASH_SECRET }),
      ...eligibilityCheckHandlers(sql),
      ...preauthorizationHandlers({
        sql,
        engine,
        workflows,
        readBooking: (caller, bookingId) => care.get<BookingFacts>(caller, `/bookings/${bookingId}`),
        environment: config.CARECOVER_ENVIRONMENT,
      }),
      ...consentHandlers(sql),
    },
    internal: [cancelledBookingRoute(sql, engine, config.HASH_SECRET)],
    gauges: BENEFIT_GAUGES,
    sweeps: benefitsSweeps({ sql, engine, workflows, log }),
    worker: {
      activities: {
        ...preauthorizationSteps(sql),
        ...benefitsForClaims({ sql, wake: (which) => workflows.wakeSoon(which) }),
      },
      bundlePath: require.resolve('@carecover/workflow-preauthorization/bundle'),
    },
    close: async () => {
      await care.close();
      await engine.close();
    },
  };
}
