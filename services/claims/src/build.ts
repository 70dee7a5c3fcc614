/** Composition of the claims service: its handlers, routes, workers and sweeps. */
import {
  type Caller,
  ContextSigner,
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
import type { BenefitsForClaims, CareForClaims, PaymentsForClaims } from '@carecover/workflow-claim';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
import { valuationWorkflow } from '@carecover/workflow-valuation/definition';
import { claimSteps, claimsForRemittances, valuationSteps } from './activities';
import { GAUGES } from './gauges';
import { claimsHandlers } from './routes/claims';
import { operatorRoutes } from './routes/operator';
import { valuationRunHandlers } from './routes/valuation-runs';
import type { Settings } from './settings';
import { claimsCleanups, claimsSweeps, reviewedWorkflows } from './sweeps';
import type { ReadPayers } from './use-cases/sum-receivables';

/** Starts the workflow of a new valuation run without waiting for Temporal. If the start fails, a sweep starts the workflow later. */
function startValuation(
  temporal: Pick<TemporalCommands, 'ensureRunning'>,
  log: Log,
  run: OwnedResource,
): void {
  temporal
    .ensureRunning(valuationWorkflow, run)
    .catch((error: unknown) =>
      log.warn({ err: error, id: run.id }, 'workflow not started; a sweep will start it'),
    );
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const temporal = TemporalCommands.create(config);
  const self = { service: 'claims', environment: config.CARECOVER_ENVIRONMENT } as const;
  const reviews = new WorkflowReviews(sql, temporal, log, reviewedWorkflows);
  const signer = new ContextSigner('claims', config);
  const care = new ServiceClient('care', config.CARE_URL, signer);
  const benefits = new ServiceClient('benefits', config.BENEFITS_URL, signer);
  const { sessionForClaim } = remoteSteps<CareForClaims>(care, self, { sessionForClaim: true });
  const payments = new ServiceClient('payments', config.PAYMENTS_URL, signer);
  const liabilities = remoteSteps<PaymentsForClaims>(payments, self, {
    openLiability: true,
    reverseLiability: true,
  });
  const readPayersFor =
    ({ tenant, requestId }: Caller): ReadPayers =>
    (payerIds) =>
      benefits.post<Record<string, string>>(
        serviceCaller(tenant, self.environment, self.service, requestId),
        '/payers',
        payerIds,
      );
  return {
    handlers: {
      ...claimsHandlers(sql, temporal, readPayersFor),
      ...valuationRunHandlers(sql, (run) => startValuation(temporal, log, run), readPayersFor),
    },
    internal: stepRoutes<ClaimsForRemittances>(
      'payments',
      claimsForRemittances(sql, () => reviews.notify()),
    ),
    operator: operatorRoutes(sql, temporal),
    gauges: GAUGES,
    background: [{ name: 'workflow reviews', start: () => reviews.start() }],
    sweeps: claimsSweeps(sql, temporal, log),
    cleanups: claimsCleanups(sql, config.VALUATION_RUN_RETENTION_DAYS),
    worker: {
      activities: {
        ...claimSteps(sql, sessionForClaim, liabilities),
        ...valuationSteps(sql),
        ...remoteSteps<BenefitsForClaims>(benefits, self, { useForClaim: true, releaseFromClaim: true }),
      },
      bundlePath: require.resolve('@carecover/claims/bundle'),
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
