/** Draws connections that stop in the middle of something: in which state, how much was sent of it, and what the peer does then. */
import { fc } from '@carecover/local/properties';
import {
  type PeerBehaviour,
  peerBehaviours,
  type UnfinishedState,
  unfinishedStates,
} from '@carecover/test-support';

export interface HostileConnection {
  readonly state: UnfinishedState;
  readonly behaviour: PeerBehaviour;
  /** How much of what is half sent, from 0 to 1. */
  readonly part: number;
}

const MOST = 20;

export function hostileConnections(): fc.Arbitrary<HostileConnection[]> {
  const connection = fc.record({
    state: fc.constantFrom(...unfinishedStates),
    behaviour: fc.constantFrom(...peerBehaviours),
    part: fc.double({ min: 0, max: 0.99, noNaN: true }),
  });
  return fc.array(connection, { minLength: 1, maxLength: MOST });
}
