/** The stack of all suites in this folder, with two replicas of each process. */
import { useWorld } from '@carecover/testing/stack';

export const REPLICAS = 2;
export const running = useWorld({ replicas: REPLICAS });
