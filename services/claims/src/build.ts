/** Composition of the claims service: its handlers, routes, workers and sweeps. */
import {
  type Log,
  natsAccess,
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
import type { BenefitsForClaims, CareForClaims, PaymentsForClaims } from '@carecover/workflow-claim';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
import { claimSteps, claimsForRemittances } from './activities';
import { GAUGES } from './gauges';
import { claimsHandlers } from './routes/claims';
import type { Settings } from './settings';
import { claimsSweeps, reviewedWorkflows } from './sweeps';

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const temporal = TemporalCommands.create(config);
  const self = { service: 'claims', environment: config.CARECOVER_ENVIRONMENT } as const;
  const reviews = new WorkflowReviews(sql, temporal, log, reviewedWorkflows);
  const care = new ServiceClient('care', config.CARE_URL, config.CONTEXT_SECRET);
  const benefits = new ServiceClient('benefits', config.BENEFITS_URL, config.CONTEXT_SECRET);
  const { sessionForClaim } = remoteSteps<CareForClaims>(care, self, { sessionForClaim: true });
  const payments = new ServiceClient('payments', config.PAYMENTS_URL, config.CONTEXT_SECRET);
  return {
    handlers: claimsHandlers(
      sql,
      temporal,
      ({ tenant, requestId }) =>
        (payerIds) =>
          benefits.post<Record<string, string>>(
            serviceCaller(tenant, self.environment, self.service, requestId),
            '/payers',
            payerIds,
          ),
    ),
    internal: stepRoutes<ClaimsForRemittances>(
      'payments',
      claimsForRemittances(sql, () => reviews.notify()),
    ),
    gauges: GAUGES,
    background: [{ name: 'workflow reviews', start: () => reviews.start() }],
    sweeps: claimsSweeps(sql, temporal, log),
    worker: {
      activities: {
        ...claimSteps(sql, sessionForClaim),
        ...remoteSteps<BenefitsForClaims>(benefits, self, { useForClaim: true, releaseFromClaim: true }),
        ...remoteSteps<PaymentsForClaims>(payments, self, { openLiability: true, reverseLiability: true }),
      },
      bundlePath: require.resolve('@carecover/workflow-claim/bundle'),
    },
    close: async () => {
      await Promise.all([care, benefits, payments].map((client) => client.close()));
      await temporal.close();
    },
  };
}

/** Starts the service's `roles`: `server`, `worker`, or both if none is named. */
export function startClaims(config: Settings, roles: readonly string[]) {
  return startService({
    name: 'claims',
    config,
    temporal: config,
    nats: natsAccess('claims', config),
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
