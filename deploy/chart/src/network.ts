/** Evaluates NetworkPolicies as Kubernetes defines them: which pods and addresses can connect to which. */
import { BlockList, isIPv6 } from 'node:net';
import type { Manifest } from './helm';

export interface Endpoint {
  readonly name: string;
  readonly address: string;
  /** The namespace of a pod; null for an address outside of the cluster. */
  readonly namespace: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** The Kubernetes namespace of the Helm release and of all policies. */
export const NAMESPACE = 'carecover';

type Direction = 'Ingress' | 'Egress';

/** The rules of the policies for one direction of a pod's connections; null if no policy restricts this direction. */
type Rules = readonly Manifest[] | null;

/** Evaluates a set of NetworkPolicies, as the network of a Kubernetes cluster does. */
export class Network {
  private readonly known = new Map<Endpoint, Readonly<Record<Direction, Rules>>>();

  constructor(private readonly policies: readonly Manifest[]) {}

  /** Returns whether `from` can open a TCP connection to `to`. */
  canConnect(from: Endpoint, to: Endpoint, port: number): boolean {
    return (
      allows(this.rulesOf(from).Egress, 'to', to, port) &&
      allows(this.rulesOf(to).Ingress, 'from', from, port)
    );
  }

  private rulesOf(pod: Endpoint): Readonly<Record<Direction, Rules>> {
    const known = this.known.get(pod);
    if (known !== undefined) return known;
    const selecting = this.policies.filter(
      ({ spec }) => pod.namespace === NAMESPACE && matches(spec.podSelector, pod.labels),
    );
    const rules = (direction: Direction): Rules => {
      const restricting = selecting.filter(({ spec }) => spec.policyTypes.includes(direction));
      if (restricting.length === 0) return null;
      return restricting.flatMap(({ spec }) => spec[direction.toLowerCase()] ?? []);
    };
    const found = { Ingress: rules('Ingress'), Egress: rules('Egress') };
    this.known.set(pod, found);
    return found;
  }
}

function allows(rules: Rules, side: 'from' | 'to', peer: Endpoint, port: number): boolean {
  if (rules === null) return true;
  return rules.some(({ ports, [side]: peers = [] }) => {
    const hasPort =
      ports === undefined || ports.some((each: Manifest) => each.protocol === 'TCP' && each.port === port);
    // A rule with an empty list of peers allows every peer.
    return hasPort && (peers.length === 0 || peers.some((each: Manifest) => isPeer(each, peer)));
  });
}

function isPeer({ ipBlock, namespaceSelector, podSelector }: Manifest, endpoint: Endpoint): boolean {
  if (ipBlock !== undefined) {
    const excluded = (ipBlock.except ?? []).some((network: string) => contains(network, endpoint.address));
    return contains(ipBlock.cidr, endpoint.address) && !excluded;
  }
  if (endpoint.namespace === null) return false;
  const isInNamespace =
    namespaceSelector === undefined
      ? endpoint.namespace === NAMESPACE
      : matches(namespaceSelector, { 'kubernetes.io/metadata.name': endpoint.namespace });
  return isInNamespace && (podSelector === undefined || matches(podSelector, endpoint.labels));
}

/** Returns whether the labels match a selector. @throws Error for a selector with expressions, which the chart does not use */
export function matches(selector: Manifest, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, ...others } = selector;
  if (Object.keys(others).length > 0) throw new Error(`not evaluated: ${JSON.stringify(others)}`);
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

function contains(network: string, address: string): boolean {
  const [base = '', prefix] = network.split('/');
  if (isIPv6(base) !== isIPv6(address)) return false;
  const family = isIPv6(base) ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), family);
  return list.check(address, family);
}
