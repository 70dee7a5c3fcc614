/** Generators of random connections for property tests. Each connection stops in an unfinished state, such as half a request. */

import { fc } from '@carecover/testing';
import {
  type PeerBehaviour,
  peerBehaviours,
  type UnfinishedState,
  unfinishedStates,
} from '@carecover/testing/stack';

export interface HostileConnection {
  readonly state: UnfinishedState;
  readonly behaviour: PeerBehaviour;
  /** The share of the unfinished message that the peer sends before it stops, from 0 to 1. */
  readonly sentPart: number;
}

const MAX_CONNECTIONS = 20;

/** Generates 1 to 20 unfinished connections. */
export function hostileConnections(): fc.Arbitrary<HostileConnection[]> {
  const connection = fc.record({
    state: fc.constantFrom(...unfinishedStates),
    behaviour: fc.constantFrom(...peerBehaviours),
    sentPart: fc.double({ min: 0, max: 0.99, noNaN: true }),
  });
  return fc.array(connection, { minLength: 1, maxLength: MAX_CONNECTIONS });
}
