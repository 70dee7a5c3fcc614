export interface Lock {
  release(): void;
}

export function tryLock(path: string): Lock | { heldBy: number };
export function waitForLock(path: string, onWait: (holder: number) => void): Promise<Lock>;
