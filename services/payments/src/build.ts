/** Composition of the payments service: its handlers, routes, workers and sweeps. */

import { natsAccess } from '@carecover/events';
import { ContextSigner, type Handlers, remoteSteps, ServiceClient, stepRoutes } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { clockRoutes, type ServiceParts, startService } from '@carecover/service';
import type { Log } from '@carecover/telemetry';
import { TemporalRuns, WorkflowSignals } from '@carecover/temporal';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import type { ClaimsForPayments } from '@carecover/workflow-remittance';
import { callsOfClaims, remittanceSteps } from './activities';
import { GAUGES } from './gauges';
import { operatorRoutes } from './routes/operator';
import { paymentAdviceHandlers } from './routes/payment-advices';
import { remittanceHandlers } from './routes/remittances';
import { settlementHandlers } from './routes/settlements';
import type { Settings } from './settings';
import { dueItems } from './store/due-items';
import { remittanceCleanups, remittanceSweeps, signalTarget } from './sweeps';
import { applyDueIn } from './use-cases/apply-due';
import { deliverNotifications } from './use-cases/deliver-notifications';
import type { CreationDeps } from './use-cases/record-advice';

/** Creates the handlers of all API operations of payments. */
export function paymentsHandlers(deps: CreationDeps): Handlers {
  return { ...remittanceHandlers(deps), ...paymentAdviceHandlers(deps), ...settlementHandlers(deps) };
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const temporal = TemporalRuns.create(config);
  const signals = new WorkflowSignals(sql, temporal, log, config, signalTarget);
  const signer = new ContextSigner('payments', config);
  const claims = new ServiceClient('claims', config.CLAIMS_URL, signer);
  const self = { service: 'payments', environment: config.CARECOVER_ENVIRONMENT } as const;
  const deps: CreationDeps = {
    sql,
    claims: remoteSteps<ClaimsForPayments>(claims, self, {
      knownClaims: true,
      recordRemittance: true,
      recordRecovery: true,
      recordWithdrawal: true,
      recordSettlement: true,
      outstandingAt: true,
    }),
    notifySignals: () => signals.notify(),
    waitMs: config.RECONCILIATION_SECONDS * 1000,
  };
  return {
    handlers: paymentsHandlers(deps),
    internal: [
      ...stepRoutes<PaymentsForClaims>('claims', callsOfClaims(deps)),
      ...clockRoutes(sql, dueItems, applyDueIn, (tenant, id) => deliverNotifications(deps, tenant, id, id)),
    ],
    operator: operatorRoutes(deps),
    gauges: GAUGES,
    background: [{ name: 'workflow signals', start: () => signals.start() }],
    sweeps: remittanceSweeps(deps, temporal, log),
    cleanups: remittanceCleanups(sql, config),
    worker: {
      activities: remittanceSteps(deps),
      bundlePath: () => require.resolve('@carecover/workflow-remittance/bundle'),
    },
    close: async () => {
      await claims.close();
      await temporal.close();
    },
  };
}

/** Starts the service's `roles`: `server`, `worker`, or both if none is named. */
export function startPayments(config: Settings, roles: readonly string[]) {
  return startService({
    name: 'payments',
    config,
    temporal: config,
    nats: natsAccess('payments', config),
    roles,
    build: ({ sql, log }) => build(config, sql, log),
  });
}
