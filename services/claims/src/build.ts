/** Composition of the claims service: its handlers, routes, workers and sweeps. */
import type { Caller, OwnedResource } from '@carecover/domain';
import { natsAccess } from '@carecover/events';
import { ContextSigner, remoteSteps, ServiceClient, serviceCaller, stepRoutes } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { clockRoutes, type ServiceParts, startService } from '@carecover/service';
import type { Log } from '@carecover/telemetry';
import { TemporalRuns, WorkflowSignals } from '@carecover/temporal';
import { bulkJobWorkflow } from '@carecover/workflow-bulk-job/definition';
import type { BenefitsForClaims, CareForClaims, PaymentsForClaims } from '@carecover/workflow-claim';
import type { ClaimsForPayments } from '@carecover/workflow-remittance';
import { valuationWorkflow } from '@carecover/workflow-valuation/definition';
import { bulkJobSteps, claimSteps, claimsForPayments, valuationSteps } from './activities';
import { GAUGES } from './gauges';
import { bulkJobHandlers } from './routes/bulk-jobs';
import { claimsHandlers } from './routes/claims';
import { operatorRoutes } from './routes/operator';
import { valuationRunHandlers } from './routes/valuation-runs';
import type { Settings } from './settings';
import { dueItems } from './store/due-items';
import { claimsCleanups, claimsSweeps, signalTarget } from './sweeps';
import { bulkLineLimits } from './use-cases/execute-bulk-lines';
import { withExecutors } from './use-cases/executors';
import { lapseInformationRequestIn } from './use-cases/lapse-information-request';
import type { ReadPayers } from './use-cases/sum-receivables';

/** Starts the workflow of a new valuation run without waiting for Temporal. If the start fails, a sweep starts the workflow later. */
function startValuation(temporal: Pick<TemporalRuns, 'ensureRunning'>, log: Log, run: OwnedResource): void {
  temporal
    .ensureRunning(valuationWorkflow, run)
    .catch((error: unknown) =>
      log.warn({ err: error, id: run.id }, 'workflow not started; a sweep will start it'),
    );
}

/** Starts or signals the workflow of a bulk job without waiting for Temporal. If that fails, a sweep starts the workflow later. */
function signalBulkJob(temporal: Pick<TemporalRuns, 'signalOrStart'>, log: Log, job: OwnedResource): void {
  temporal
    .signalOrStart(bulkJobWorkflow, job, [])
    .catch((error: unknown) =>
      log.warn({ err: error, id: job.id }, 'workflow not signalled; a sweep or its timer makes good for it'),
    );
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const temporal = TemporalRuns.create(config);
  const self = { service: 'claims', environment: config.CARECOVER_ENVIRONMENT } as const;
  const signals = new WorkflowSignals(sql, temporal, log, config, signalTarget);
  const signer = new ContextSigner('claims', config);
  const care = new ServiceClient('care', config.CARE_URL, signer);
  const benefits = new ServiceClient('benefits', config.BENEFITS_URL, signer);
  const payments = new ServiceClient('payments', config.PAYMENTS_URL, signer);
  const deps = withExecutors({
    sql,
    care: remoteSteps<CareForClaims>(care, self, {
      sessionForClaim: true,
      sessionsForClaims: true,
      recordSessions: true,
    }),
    benefits: remoteSteps<BenefitsForClaims>(benefits, self, {
      useForClaim: true,
      useForClaims: true,
      checkRecordedClaims: true,
      createEligibilityChecks: true,
      releaseFromClaim: true,
    }),
    payments: remoteSteps<PaymentsForClaims>(payments, self, {
      openLiability: true,
      openLiabilities: true,
      reverseLiability: true,
      createRemittance: true,
      createSettlement: true,
    }),
    notifySignals: () => signals.notify(),
  });
  const readPayersFor =
    ({ tenant, requestId }: Caller): ReadPayers =>
    (payerIds) =>
      benefits.post<Record<string, string>>(
        serviceCaller(tenant, self.environment, self.service, requestId),
        '/payers',
        payerIds,
      );
  const lines = { ...deps, ...bulkLineLimits(config.BULK_LINES_AT_ONCE) };
  const bulkJobs = {
    sql,
    hashSecret: config.HASH_SECRET,
    signalWorkflow: (job: OwnedResource) => signalBulkJob(temporal, log, job),
  };
  return {
    handlers: {
      ...claimsHandlers(deps, readPayersFor),
      ...bulkJobHandlers(bulkJobs),
      ...valuationRunHandlers(sql, (run) => startValuation(temporal, log, run), readPayersFor),
    },
    internal: [
      ...stepRoutes<ClaimsForPayments>('payments', claimsForPayments(sql, deps.notifySignals)),
      ...clockRoutes(sql, dueItems, (tx, tenant, claimId) =>
        lapseInformationRequestIn(tx, { tenant, claimId }),
      ),
    ],
    operator: operatorRoutes(sql, temporal, readPayersFor),
    gauges: GAUGES,
    background: [{ name: 'workflow signals', start: () => signals.start() }],
    sweeps: claimsSweeps(deps, temporal, log),
    cleanups: claimsCleanups(sql, config),
    worker: {
      activities: { ...claimSteps(deps), ...valuationSteps(sql), ...bulkJobSteps(lines) },
      bundlePath: () => require.resolve('@carecover/claims/bundle'),
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
