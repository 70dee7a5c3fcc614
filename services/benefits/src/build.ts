/** The benefits service put together: the parts that a process of it runs. */
import {
  Engine,
  type Handlers,
  type Log,
  ServiceClient,
  type ServiceParts,
  type Sql,
  startService,
} from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import { benefitsActivities } from './activities';
import { GAUGES } from './gauges';
import { cancelledBookingRoute } from './routes/cancelled-bookings';
import { consentHandlers } from './routes/consents';
import { coverageHandlers } from './routes/coverages';
import { eligibilityCheckHandlers } from './routes/eligibility-checks';
import { type PreauthorizationDependencies, preauthorizationHandlers } from './routes/preauthorizations';
import type { Settings } from './settings';
import { benefitsSweeps } from './sweeps';
import { Workflows } from './workflow';

/** Every operation that the contract gives to benefits. */
export function benefitsHandlers(
  deps: PreauthorizationDependencies & { readonly hashSecret: string },
): Handlers {
  return {
    ...coverageHandlers(deps),
    ...eligibilityCheckHandlers(deps.sql),
    ...preauthorizationHandlers(deps),
    ...consentHandlers(deps.sql),
  };
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const engine = Engine.create(config);
  const care = new ServiceClient('care', config.CARE_URL, config.CONTEXT_SECRET);
  const workflows = new Workflows(engine, log);
  return {
    handlers: benefitsHandlers({
      sql,
      engine,
      workflows,
      readBooking: (caller, bookingId) => care.get<BookingFacts>(caller, `/bookings/${bookingId}`),
      environment: config.CARECOVER_ENVIRONMENT,
      hashSecret: config.HASH_SECRET,
    }),
    internal: [cancelledBookingRoute(sql, engine, config.HASH_SECRET)],
    gauges: GAUGES,
    sweeps: benefitsSweeps(sql, engine, log),
    worker: {
      activities: benefitsActivities({ sql, wake: (row) => workflows.wake(row) }),
      bundlePath: require.resolve('@carecover/workflow-preauthorization/bundle'),
    },
    close: async () => {
      await care.close();
      await engine.close();
    },
  };
}

/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). */
export function startBenefits(config: Settings, roles: readonly string[]) {
  return startService({
    name: 'benefits',
    config,
    temporal: config,
    natsUrl: config.NATS_URL,
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
