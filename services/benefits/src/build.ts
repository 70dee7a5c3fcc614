/** Composition of the benefits service: its handlers, routes, workers and sweeps. */
import type { Caller } from '@carecover/domain';
import { natsAccess } from '@carecover/events';
import {
  ContextSigner,
  type Handlers,
  remoteSteps,
  ServiceClient,
  serviceCaller,
  stepRoutes,
} from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { clockRoutes, type ServiceParts, startService } from '@carecover/service';
import type { Log } from '@carecover/telemetry';
import { TemporalRuns, WorkflowSignals } from '@carecover/temporal';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import type { BookingSnapshot, CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { callsOfClaims, preauthorizationSteps } from './activities';
import { GAUGES } from './gauges';
import { cancelledBookingRoute } from './routes/cancelled-bookings';
import { consentHandlers } from './routes/consents';
import { coverageHandlers } from './routes/coverages';
import { eligibilityCheckHandlers } from './routes/eligibility-checks';
import { operatorRoutes } from './routes/operator';
import { payersRoute } from './routes/payers';
import { type PreauthorizationDependencies, preauthorizationHandlers } from './routes/preauthorizations';
import type { Settings } from './settings';
import { dueItems } from './store/due-items';
import { benefitsCleanups, benefitsSweeps, signalTarget } from './sweeps';
import { withExecutors } from './use-cases/executors';
import { expireIfDueIn } from './use-cases/expire-overdue';

/** Creates the handlers of all API operations of benefits. */
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
  const temporal = TemporalRuns.create(config);
  const signer = new ContextSigner('benefits', config);
  const care = new ServiceClient('care', config.CARE_URL, signer);
  const signals = new WorkflowSignals(sql, temporal, log, config, signalTarget);
  const self = { service: 'benefits', environment: config.CARECOVER_ENVIRONMENT } as const;
  const deps = withExecutors({
    sql,
    care: remoteSteps<CareForPreauthorizations>(care, self, {
      confirmBooking: true,
      withdrawConfirmation: true,
    }),
    readBooking: ({ tenant, requestId }: Caller, bookingId: string) =>
      care.get<BookingSnapshot>(
        serviceCaller(tenant, self.environment, self.service, requestId),
        `/bookings/${bookingId}`,
      ),
    environment: config.CARECOVER_ENVIRONMENT,
    hashSecret: config.HASH_SECRET,
    notifySignals: () => signals.notify(),
  });
  return {
    handlers: benefitsHandlers(deps),
    internal: [
      cancelledBookingRoute(deps),
      payersRoute(sql),
      ...stepRoutes<BenefitsForClaims>('claims', callsOfClaims(deps)),
      ...clockRoutes(sql, dueItems, expireIfDueIn),
    ],
    operator: operatorRoutes(sql),
    gauges: GAUGES,
    background: [{ name: 'workflow signals', start: () => signals.start() }],
    sweeps: benefitsSweeps(deps, temporal, log),
    cleanups: benefitsCleanups(sql, config),
    worker: {
      activities: preauthorizationSteps(deps),
      bundlePath: () => require.resolve('@carecover/workflow-preauthorization/bundle'),
    },
    close: async () => {
      await care.close();
      await temporal.close();
    },
  };
}

/** Starts the service's `roles`: `server`, `worker`, or both if none is named. */
export function startBenefits(config: Settings, roles: readonly string[]) {
  return startService({
    name: 'benefits',
    config,
    temporal: config,
    nats: natsAccess('benefits', config),
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
