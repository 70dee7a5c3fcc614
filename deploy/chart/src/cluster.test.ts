// What the chart sets is what `npm run cluster` ran, apart from the differences that are listed here.
import {
  DRAIN_MS,
  GRACE_MS,
  NATS_SERVERS,
  POSTGRESQL_SERVERS,
  REPLICAS,
  SHARDS,
  TEMPORAL_NODES,
} from '../../local/src/cluster/cluster';
import { MAX_CONNECTIONS } from '../../local/src/cluster/postgres-group';
import { dynamicConfig, temporalConfig } from '../../local/src/temporal-config';
import { engine, MINIMUM, parseManifests, renderChart } from './helm';
import { ofKind, processOf } from './rules';
import { environmentOf } from './settings';

// biome-ignore lint/suspicious/noExplicitAny: the configurations are parsed from YAML and JSON
type Settings = Record<string, any>;

/** Returns each setting whose value in the chart is another one than in the cluster, with both values. */
function differences(
  cluster: Settings,
  chart: Settings,
): Record<string, { cluster: unknown; chart: unknown }> {
  const differing = [...new Set([...Object.keys(cluster), ...Object.keys(chart)])].filter(
    (name) => JSON.stringify(cluster[name]) !== JSON.stringify(chart[name]),
  );
  return Object.fromEntries(differing.map((name) => [name, { cluster: cluster[name], chart: chart[name] }]));
}

test('Temporal, but for the shards and what suits a single machine', () => {
  const port = { grpc: 1, membership: 1 };
  const [clusterServer] = parseManifests(
    temporalConfig({
      database: { port: 1, names: { histories: 'temporal', visibility: 'temporal_visibility' }, user: '' },
      ports: { frontend: port, history: port, matching: port, worker: port },
      shards: SHARDS,
      dynamicConfigFile: '',
    }),
  );
  const [{ server }] = parseManifests(engine('temporal.yaml'));
  const describeServer = (
    persistence: Settings,
    [histories, visibility]: readonly Settings[],
    dynamic: Settings,
  ) => {
    const pool = (store: Settings = {}) => {
      const { pluginName, databaseName, maxConns, maxIdleConns } = store.sql;
      return { pluginName, databaseName, maxConns, maxIdleConns };
    };
    return {
      shards: persistence.numHistoryShards,
      histories: pool(histories),
      visibility: pool(visibility),
      ...dynamic,
    };
  };
  const { persistence } = clusterServer;
  const { datastores } = persistence;
  const ofCluster = describeServer(
    persistence,
    [datastores.histories, datastores.visibility],
    JSON.parse(dynamicConfig()),
  );
  const chart = server.config.persistence;
  const ofChart = describeServer(
    chart,
    [chart.datastores.default, chart.datastores.visibility],
    server.dynamicConfig,
  );
  const onePartition = { cluster: [{ value: 1 }], chart: undefined };
  expect(differences(ofCluster, ofChart)).toEqual({
    // The number can't change later, so the chart allows for more history servers.
    shards: { cluster: 128, chart: 512 },
    // One partition is enough on one machine; Temporal's default of four spreads a task queue over the matching servers.
    'matching.numTaskqueueReadPartitions': onePartition,
    'matching.numTaskqueueWritePartitions': onePartition,
  });
});

test('the number of processes, but for one more worker of Temporal', async () => {
  const manifests = await renderChart(MINIMUM);
  const [{ spec: postgres }] = parseManifests(engine('postgres.yaml'));
  const [{ config: nats }] = parseManifests(engine('nats.yaml'));
  const [{ server: temporal }] = parseManifests(engine('temporal.yaml'));
  const ofChart = {
    ...Object.fromEntries(
      ofKind(manifests, 'Deployment').map((each) => [processOf(each), each.spec.replicas]),
    ),
    postgresql: postgres.instances,
    nats: nats.cluster.replicas,
    ...Object.fromEntries(
      Object.keys(TEMPORAL_NODES).map((name) => [`temporal-${name}`, temporal.replicaCount]),
    ),
  };
  const ofCluster = {
    ...Object.fromEntries(ofKind(manifests, 'Deployment').map((each) => [processOf(each), REPLICAS])),
    postgresql: POSTGRESQL_SERVERS,
    nats: NATS_SERVERS,
    ...Object.fromEntries(Object.entries(TEMPORAL_NODES).map(([name, count]) => [`temporal-${name}`, count])),
  };
  expect(differences(ofCluster, ofChart)).toEqual({ 'temporal-worker': { cluster: 1, chart: 2 } });
});

test('connections of PostgreSQL, and how a process stops, but for a longer phase without readiness', async () => {
  const [{ spec: postgres }] = parseManifests(engine('postgres.yaml'));
  expect(postgres.postgresql.parameters.max_connections).toBe(MAX_CONNECTIONS);
  for (const each of ofKind(await renderChart(MINIMUM), 'Deployment')) {
    const { spec } = each.spec.template;
    expect(spec.terminationGracePeriodSeconds * 1_000).toBe(GRACE_MS);
    // The cluster's balancer checks the processes more often than Kubernetes.
    expect(Number(environmentOf(each).DRAIN_MS)).toBeGreaterThan(DRAIN_MS);
  }
});
