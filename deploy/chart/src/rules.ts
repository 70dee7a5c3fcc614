/**
 * Rules that every rendering of the chart must satisfy. The tests apply them to all combinations of values, and check that each rule
 * finds a mutant of the chart that violates it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STOP_LIMIT_MS } from '@carecover/process';
import { CHART, type Manifest, parseManifests, RELEASE } from './helm';
import { type Endpoint, matches, NAMESPACE, Network } from './network';

const REPOSITORY = join(CHART, '../..');

export const ofKind = (manifests: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));

const POD_KINDS = ['Deployment', 'StatefulSet', 'Job'];

/** Returns the name of the process that an object runs: the object's name without the name of the Helm release. */
export const processOf = ({ metadata }: Manifest): string => metadata.name.slice(RELEASE.length + 1);

/** A permitted network connection as text, such as `claims-worker -> NATS`. */
type Path = string;

/** Reads the table of network paths in docs/architecture.md. */
export function documentedPaths(): Path[] {
  const text = readFileSync(join(REPOSITORY, 'docs/architecture.md'), 'utf8');
  const [, section = ''] = text.split('## Network paths\n');
  const [, table = ''] = /\| --- .*\|\n((?:\|.*\n)+)/.exec(section) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .flatMap((row) => {
      const [process = '', callers = '', targets = ''] = row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      const split = (cell: string) => cell.split(', ').filter((name) => name !== '');
      // The table lists a path between two processes twice: in the sender's row under "connects to", and in the receiver's row under
      // "receives requests from". Only the first is read. `clients` and `operators` have no row, so their paths are read from the
      // receivers' rows.
      return [
        ...split(targets).map((target) => `${process} -> ${isService(target) ? `${target}-server` : target}`),
        ...split(callers)
          .filter((caller) => caller === 'clients' || caller === 'operators')
          .map((caller) => `${caller} -> ${process}`),
      ];
    })
    .sort();
}

const OTHERS = ['gateway', 'PostgreSQL', 'Temporal', 'NATS', 'receivers', 'identity provider'];
const isService = (name: string) => !OTHERS.includes(name);

const outside = (name: string, address: string): Endpoint => ({ name, address, namespace: null, labels: {} });
const pod = (name: string, labels: Record<string, string>, namespace = NAMESPACE): Endpoint => ({
  name,
  address: '10.1.2.3',
  namespace,
  labels,
});

/**
 * Peers outside of the Helm release: PostgreSQL, Temporal, NATS, IP addresses, and pods of other applications. All of them can reach the
 * gateway. Every other network path between a peer and the release must be documented.
 */
const SURROUNDINGS: readonly Endpoint[] = [
  pod('PostgreSQL', { 'cnpg.io/cluster': 'carecover-postgres' }),
  pod('Temporal', { 'app.kubernetes.io/name': 'temporal', 'app.kubernetes.io/component': 'frontend' }),
  pod('NATS', { 'app.kubernetes.io/name': 'nats', 'app.kubernetes.io/component': 'nats' }),
  outside('receivers', '93.184.215.14'),
  outside('clients', '203.0.113.7'),
  pod('operators', { app: 'ingress' }, 'ingress'),
  pod('identity provider', { app: 'identity' }, 'identity'),
  outside('metadata', '169.254.169.254'),
  pod('neighbour', { app: 'other' }),
  pod('other-namespace', { app: 'other' }, 'other'),
  pod('api-server', { component: 'kube-apiserver' }, 'kube-system'),
];
/**
 * The pod of a process that has no NetworkPolicy, as if a later version of the chart had added the process. The chart must allow no network
 * path from or to this pod.
 */
const WITHOUT_POLICY = pod('without-policy', {
  'app.kubernetes.io/name': 'carecover',
  'app.kubernetes.io/instance': RELEASE,
});
/** The port of the gateway's operators' routes. */
const OPERATOR_PORT = 8081;
/**
 * The ports on which processes, PostgreSQL, NATS, Temporal and receivers listen. A network path exists if a connection to any of these
 * ports is permitted.
 */
const PORTS = [443, 4222, 5432, 6222, 7233, 8080, OPERATOR_PORT, 8443];

const policiesOfEngines = () =>
  parseManifests(readFileSync(join(CHART, 'engines/network-policies.yaml'), 'utf8'));

/**
 * Returns every network path from or to a pod of the release that the NetworkPolicies allow: those of the chart, and those of PostgreSQL
 * and NATS in engines/network-policies.yaml.
 */
function allowedPaths(manifests: readonly Manifest[]): Path[] {
  const network = networkOf(manifests);
  const pods = podsOf(manifests);
  const all = [...pods, ...SURROUNDINGS];
  const paths = all.flatMap((from) =>
    all
      .filter((to) => to !== from && (pods.includes(from) || pods.includes(to)))
      .filter((to) => PORTS.some((port) => network.canConnect(from, to, port)))
      // Clients and receivers are addresses on the internet, which the policies can't tell apart. Clients only open connections, and
      // receivers only accept them.
      .filter((to) => to.name !== 'clients' && from.name !== 'receivers')
      .map((to) => `${from.name} -> ${to.name}`),
  );
  return paths
    .filter(
      (path) =>
        !/^(metadata|neighbour|other-namespace|api-server|operators|identity provider) -> gateway$/.test(
          path,
        ),
    )
    .filter((path) => !/^(PostgreSQL|Temporal|NATS) -> gateway$/.test(path))
    .sort();
}

const networkOf = (manifests: readonly Manifest[]) =>
  new Network([...ofKind(manifests, 'NetworkPolicy'), ...policiesOfEngines()]);

/** Returns one pod per process of the release, and one without a policy. */
const podsOf = (manifests: readonly Manifest[]): Endpoint[] => [
  ...ofKind(manifests, ...POD_KINDS).map((each) => pod(processOf(each), each.spec.template.metadata.labels)),
  WITHOUT_POLICY,
];

/** A Prometheus server, which reads metrics on another port of the gateway. */
const PROMETHEUS = pod('Prometheus', { app: 'prometheus' }, 'monitoring');

/** Returns the names of everything that can connect to the gateway's operators' routes. */
function findOperatorCallers(manifests: readonly Manifest[]): string[] {
  const network = networkOf(manifests);
  const pods = podsOf(manifests);
  const gateway = pods.find(({ name }) => name === 'gateway');
  if (gateway === undefined) return ['no gateway'];
  return [...pods, ...SURROUNDINGS, PROMETHEUS]
    .filter((from) => from !== gateway && network.canConnect(from, gateway, OPERATOR_PORT))
    .map(({ name }) => name);
}

interface Rule {
  readonly name: string;
  /** Returns one message per violation of the rule in the rendered chart; an empty list if there is none. */
  readonly find: (manifests: readonly Manifest[]) => string[];
}

const difference = (found: readonly string[], expected: readonly string[]): string[] => [
  ...found.filter((each) => !expected.includes(each)).map((each) => `not expected: ${each}`),
  ...expected.filter((each) => !found.includes(each)).map((each) => `missing: ${each}`),
];

/**
 * Applies `check` to every object that creates pods. `check` returns for each requirement, by its name, whether the object satisfies it.
 * Returns one message per requirement that an object violates.
 */
function eachPod(
  manifests: readonly Manifest[],
  check: (spec: Manifest, manifest: Manifest) => Readonly<Record<string, boolean>>,
  kinds = POD_KINDS,
): string[] {
  return ofKind(manifests, ...kinds).flatMap((manifest) =>
    Object.entries(check(manifest.spec.template.spec, manifest))
      .filter(([, holds]) => !holds)
      .map(([requirement]) => `${manifest.metadata.name}: ${requirement}`),
  );
}

const VOLUMES = ['configMap', 'emptyDir', 'secret'];

export const RULES: readonly Rule[] = [
  {
    name: 'the network policies allow the paths that the architecture names, and no others',
    find: (manifests) => {
      const present = new Set(ofKind(manifests, ...POD_KINDS).map(processOf));
      // The job `namespace` is absent with Temporal Cloud, and the console is optional. The documented paths of an absent process are not
      // expected.
      const absent = ['namespace', 'console'].filter((name) => !present.has(name));
      const expected = documentedPaths().filter(
        (path) => !absent.some((name) => path.split(' -> ').includes(name)),
      );
      return difference(allowedPaths(manifests), expected);
    },
  },
  {
    name: "only the console reaches the gateway's operators' routes, and they are served only if it runs",
    find: (manifests) => {
      const hasConsole = ofKind(manifests, 'Deployment').some((each) => processOf(each) === 'console');
      const served = ofKind(manifests, 'Deployment')
        .filter((each) => processOf(each) === 'gateway')
        .flatMap(({ spec }) => spec.template.spec.containers[0].env)
        .filter(({ name }) => name === 'OPERATOR_PORT')
        .map(({ value }) => `port ${value}`);
      return difference(
        [...findOperatorCallers(manifests), ...served],
        hasConsole ? ['console', `port ${OPERATOR_PORT}`] : [],
      );
    },
  },
  {
    name: 'each pod is restricted',
    find: (manifests) =>
      eachPod(manifests, ({ containers, volumes, ...spec }) => {
        const [container] = containers;
        const { securityContext: own = {} } = container;
        return {
          'one container': containers.length === 1 && spec.initContainers === undefined,
          'no root': spec.securityContext.runAsNonRoot === true && spec.securityContext.runAsUser > 0,
          seccomp: spec.securityContext.seccompProfile?.type === 'RuntimeDefault',
          'no escalation': own.allowPrivilegeEscalation === false && own.privileged !== true,
          'no capabilities': JSON.stringify(own.capabilities) === '{"drop":["ALL"]}',
          'read-only root file system': own.readOnlyRootFilesystem === true,
          'no token of the API': spec.automountServiceAccountToken === false,
          'no variables of Services': spec.enableServiceLinks === false,
          'no host': !(spec.hostNetwork || spec.hostPID || spec.hostIPC),
          volumes: volumes.every((volume: object) =>
            Object.keys(volume).every((key) => key === 'name' || VOLUMES.includes(key)),
          ),
          'memory limit': container.resources.limits.memory !== undefined,
          requests: container.resources.requests.cpu !== undefined,
        };
      }),
  },
  {
    name: 'each process has probes for alive and for ready, which are not the same',
    find: (manifests) =>
      eachPod(
        manifests,
        ({ containers: [{ livenessProbe, readinessProbe, startupProbe, ports }] }) => ({
          alive: livenessProbe?.httpGet.path === '/health/live',
          start: startupProbe?.httpGet.path === '/health/live',
          ready: readinessProbe?.httpGet.path === '/health/ready',
          // All probes use the last port of the container: for the gateway, that is the private port, which serves its health.
          port: [livenessProbe, startupProbe, readinessProbe].every(
            (probe) => probe?.httpGet.port === ports.at(-1).containerPort,
          ),
          // A failover of PostgreSQL makes every replica not ready at once. The readiness probe must fail for longer than a failover
          // before Kubernetes removes a replica.
          'ready for 30 s without PostgreSQL':
            readinessProbe?.periodSeconds * readinessProbe?.failureThreshold >= 30,
        }),
        ['Deployment'],
      ),
  },
  {
    name: 'a stopped pod has the time to complete every request that it accepted',
    find: (manifests) =>
      eachPod(
        manifests,
        ({ terminationGracePeriodSeconds, containers: [{ env }] }) => ({
          'grace period': terminationGracePeriodSeconds * 1000 > STOP_LIMIT_MS,
          // A stopping pod accepts requests for at least five seconds, because the Kubernetes Service still sends new connections to it
          // at first.
          drain: env.some(({ name, value }: Manifest) => name === 'DRAIN_MS' && Number(value) >= 5_000),
        }),
        ['Deployment'],
      ),
  },
  {
    name: 'each process survives the loss of a node, and a rollout takes none away before its successor is ready',
    find: (manifests) =>
      eachPod(
        manifests,
        ({ topologySpreadConstraints = [] }, { metadata, spec }) => {
          const { labels } = spec.template.metadata;
          const selects = ({ spec: other }: Manifest) => matches(other.selector, labels);
          const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(selects);
          const scalers = ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').filter(
            (each) => each.spec.scaleTargetRef.name === metadata.name,
          );
          const [scaler] = scalers;
          const minimum = spec.replicas ?? scaler?.spec.minReplicas ?? scaler?.spec.minReplicaCount;
          const keys = topologySpreadConstraints.map(({ topologyKey }: Manifest) => topologyKey);
          return {
            // The console is the only process that can have fewer than two replicas: its sessions are in the memory of one process.
            'two replicas': minimum >= 2 || processOf({ metadata }) === 'console',
            'replicas are set in one place': (spec.replicas === undefined) === (scalers.length === 1),
            'one disruption budget': budgets.length === 1 && budgets[0]?.spec.maxUnavailable === 1,
            spread: keys.includes('kubernetes.io/hostname') && keys.includes('topology.kubernetes.io/zone'),
            'spread of these pods': topologySpreadConstraints.every(({ labelSelector }: Manifest) =>
              matches(labelSelector, labels),
            ),
            rollout: spec.strategy.rollingUpdate?.maxUnavailable === 0,
            selector: matches(spec.selector, labels),
          };
        },
        ['Deployment'],
      ),
  },
  {
    name: 'each selector and each reference finds its object',
    find: (manifests) => {
      const workloads = ofKind(manifests, 'Deployment', 'StatefulSet');
      const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      const selectors = [
        ...ofKind(manifests, 'PodDisruptionBudget').map((each) => [each, each.spec.selector] as const),
        ...ofKind(manifests, 'Service').map((each) => [each, { matchLabels: each.spec.selector }] as const),
      ];
      return [
        ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `twice: ${name}`),
        ...selectors
          .filter(
            ([, selector]) =>
              workloads.filter((each) => matches(selector, each.spec.template.metadata.labels)).length !== 1,
          )
          .map(([each]) => `${each.kind} ${each.metadata.name} must select one workload`),
        ...ofKind(manifests, 'ScaledObject').flatMap(({ metadata, spec }) =>
          spec.triggers
            .filter(({ authenticationRef }: Manifest) => authenticationRef !== undefined)
            .filter(
              (each: Manifest) => !names.includes(`TriggerAuthentication ${each.authenticationRef.name}`),
            )
            .map(() => `${metadata.name}: the authentication does not exist`),
        ),
        ...ofKind(manifests, 'ScaledObject', 'HorizontalPodAutoscaler')
          .filter(({ spec }) => !names.includes(`Deployment ${spec.scaleTargetRef.name}`))
          .map(({ metadata }) => `${metadata.name}: the Deployment does not exist`),
        ...ofKind(manifests, ...POD_KINDS).flatMap(({ metadata, spec }) =>
          spec.template.spec.volumes
            .filter(({ configMap }: Manifest) => configMap !== undefined)
            .filter(({ configMap }: Manifest) => !names.includes(`ConfigMap ${configMap.name}`))
            .map(() => `${metadata.name}: the ConfigMap does not exist`),
        ),
      ];
    },
  },
  {
    name: 'names and labels have the form that Kubernetes accepts',
    find: (manifests) =>
      manifests.flatMap(({ metadata, spec }) => {
        const labels = { ...metadata.labels, ...spec?.template?.metadata?.labels };
        return [
          ...(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(metadata.name) ? [] : [`name ${metadata.name}`]),
          ...Object.entries(labels)
            .filter(([, value]) => !/^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/.test(String(value)))
            .map(([key, value]) => `label ${key}: ${value}`),
        ];
      }),
  },
  {
    name: 'the database, the stream and the namespace are prepared before any pod of the release starts',
    find: (manifests) =>
      ofKind(manifests, 'Job', 'ConfigMap')
        .filter(({ metadata: { annotations } }) => {
          const isHook = annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade';
          return !isHook || annotations['helm.sh/hook-delete-policy'] !== 'before-hook-creation';
        })
        .map(({ metadata }) => `${metadata.name} is not a hook before the installation and each upgrade`),
  },
  {
    name: 'only the gateway can be reached from outside',
    find: (manifests) =>
      ofKind(manifests, 'Service')
        .filter(({ spec }) => (spec.type ?? 'ClusterIP') !== 'ClusterIP')
        .filter((each) => processOf(each) !== 'gateway')
        .map(({ metadata }) => metadata.name),
  },
];
