/** Composition of the payments service: its handlers, routes, workers and sweeps. */
import {
  ContextSigner,
  type Handlers,
  type Log,
  natsAccess,
  remoteSteps,
  ServiceClient,
  type ServiceParts,
  type Sql,
  startService,
  stepRoutes,
  TemporalCommands,
} from '@carecover/platform';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
import { paymentsActivities } from './activities';
import { GAUGES } from './gauges';
import { operatorRoutes } from './routes/operator';
import { remittanceHandlers } from './routes/remittances';
import { settlementHandlers } from './routes/settlements';
import type { Settings } from './settings';
import { remittanceSweeps } from './sweeps';

/** Creates the handlers of all API operations of payments. */
export function paymentsHandlers(sql: Sql, temporal: TemporalCommands): Handlers {
  return { ...remittanceHandlers(sql, temporal), ...settlementHandlers(sql, temporal) };
}

function build(config: Settings, sql: Sql, log: Log): ServiceParts {
  const temporal = TemporalCommands.create(config);
  const signer = new ContextSigner('payments', config);
  const claims = new ServiceClient('claims', config.CLAIMS_URL, signer);
  const self = { service: 'payments', environment: config.CARECOVER_ENVIRONMENT } as const;
  const { openLiability, reverseLiability, ...own } = paymentsActivities(
    sql,
    config.RECONCILIATION_SECONDS * 1000,
  );
  return {
    handlers: paymentsHandlers(sql, temporal),
    internal: stepRoutes<PaymentsForClaims>('claims', { openLiability, reverseLiability }),
    operator: operatorRoutes(sql, temporal),
    gauges: GAUGES,
    sweeps: remittanceSweeps(sql, temporal, log),
    worker: {
      activities: {
        ...own,
        ...remoteSteps<ClaimsForRemittances>(claims, self, {
          knownClaims: true,
          recordRemittance: true,
          recordSettlement: true,
        }),
      },
      bundlePath: require.resolve('@carecover/workflow-remittance/bundle'),
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
