/** Composition of the benefits service: its handlers, routes, workers and sweeps. */
import {
  ContextSigner,
  type Handlers,
  type Log,
  natsAccess,
  type OwnedResource,
  remoteSteps,
  ServiceClient,
  type ServiceParts,
  type Sql,
  serviceCaller,
  startService,
  stepRoutes,
  TemporalCommands,
  WorkflowReviews,
} from '@carecover/platform';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import type { BookingFacts, CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { preauthorizationWorkflow } from '@carecover/workflow-preauthorization/definition';
import { claimSteps, preauthorizationSteps } from './activities';
import { GAUGES } from './gauges';
import { cancelledBookingRoute } from './routes/cancelled-bookings';
import { consentHandlers } from './routes/consents';
import { coverageHandlers } from './routes/coverages';
import { eligibilityCheckHandlers } from './routes/eligibility-checks';
import { operatorRoutes } from './routes/operator';
import { payersRoute } from './routes/payers';
import { type PreauthorizationDependencies, preauthorizationHandlers } from './routes/preauthorizations';
import type { Settings } from './settings';
import { benefitsSweeps, reviewedWorkflows } from './sweeps';

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

/** Starts the workflow of a new pre-authorization without waiting for Temporal. If the start fails, a sweep starts the workflow later. */
function startWorkflow(
  engine: Pick<TemporalCommands, 'ensureRunning'>,
  log: Log,
  preauthorization: OwnedResource,
): void {
  const { id } = preauthorization;
  engine
    .ensureRunning(preauthorizationWorkflow, preauthorization)
    .catch((error: unknown) => log.warn({ err: error, id }, 'workflow not started; a sweep will start it'));
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const engine = TemporalCommands.create(config);
  const signer = new ContextSigner('benefits', config);
  const care = new ServiceClient('care', config.CARE_URL, signer);
  const reviews = new WorkflowReviews(sql, engine, log, reviewedWorkflows);
  const self = { service: 'benefits', environment: config.CARECOVER_ENVIRONMENT } as const;
  return {
    handlers: benefitsHandlers({
      sql,
      engine,
      startWorkflow: (preauthorization) => startWorkflow(engine, log, preauthorization),
      readBooking: ({ tenant, requestId }, bookingId) =>
        care.get<BookingFacts>(
          serviceCaller(tenant, self.environment, self.service, requestId),
          `/bookings/${bookingId}`,
        ),
      environment: config.CARECOVER_ENVIRONMENT,
      hashSecret: config.HASH_SECRET,
    }),
    internal: [
      cancelledBookingRoute({ sql, engine, hashSecret: config.HASH_SECRET }),
      payersRoute(sql),
      ...stepRoutes<BenefitsForClaims>(
        'claims',
        claimSteps(sql, () => reviews.notify()),
      ),
    ],
    operator: operatorRoutes(sql),
    gauges: GAUGES,
    background: [{ name: 'workflow reviews', start: () => reviews.start() }],
    sweeps: benefitsSweeps(sql, engine, log),
    worker: {
      activities: {
        ...preauthorizationSteps(sql),
        ...remoteSteps<CareForPreauthorizations>(care, self, {
          confirmBooking: true,
          withdrawConfirmation: true,
        }),
      },
      bundlePath: require.resolve('@carecover/workflow-preauthorization/bundle'),
    },
    close: async () => {
      await care.close();
      await engine.close();
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
