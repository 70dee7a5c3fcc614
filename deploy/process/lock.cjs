/**
 * A lock file that its holder's death releases: it names the holder by process id and start time, and a lock whose
 * holder is gone is taken over. Plain JavaScript, since it runs before anything is built.
 */
const { randomUUID } = require('node:crypto');
const { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { startTime, stillRuns } = require('./identity.cjs');

const QUIET_MS = 2_000;

/**
 * Takes the lock, or tells who holds it.
 * @returns {{ release: () => void } | { heldBy: number }}
 */
function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const nonce = randomUUID();
  const mine = `${path}.${nonce}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startTime(process.pid), nonce }), {
    mode: 0o600,
  });
  try {
    for (;;) {
      try {
        linkSync(mine, path);
        return { release: () => release(path, nonce) };
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = read(path);
      if (holder !== undefined && stillRuns(holder)) return { heldBy: holder.pid };
      if (holder !== undefined) takeAside(path, holder.nonce);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Takes the lock as soon as it is free; `onWait` is told the holder once, when the wait gets long. */
async function waitForLock(path, onWait) {
  const began = Date.now();
  for (let told = false; ; await sleep(200)) {
    const lock = tryLock(path);
    if ('release' in lock) return lock;
    if (told || Date.now() - began < QUIET_MS) continue;
    onWait(lock.heldBy);
    told = true;
  }
}

/** Removes a dead holder's lock; where somebody took it over a moment before, theirs is put back. */
function takeAside(path, nonce) {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (read(aside)?.nonce !== nonce) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function release(path, nonce) {
  if (read(path)?.nonce === nonce) rmSync(path, { force: true });
}

/** What the lock file says; undefined when there is none, and no live holder when it isn't a lock file of ours. */
function read(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { pid, started, nonce } = JSON.parse(text);
    return { pid, started, nonce };
  } catch {
    // A file cut short by a full disk or a power cut has no live holder.
    return { pid: -1, started: 'never', nonce: undefined };
  }
}

module.exports = { tryLock, waitForLock };
