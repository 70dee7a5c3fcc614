/**
 * A lock between processes: a file with the process ID and start time of the holder. If the holder has ended, another process can take
 * the lock. This file is plain JavaScript, because it runs before the build.
 */
const { randomUUID } = require('node:crypto');
const { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { startTime, isRunning } = require('./identity.cjs');

const QUIET_MS = 2_000;

/**
 * Takes the lock in this file if it is free; otherwise returns the process ID of its holder.
 * @returns {{ release: () => void } | { heldBy: number }}
 */
function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const nonce = randomUUID();
  const candidate = `${path}.${nonce}`;
  const own = { pid: process.pid, started: startTime(process.pid), nonce };
  try {
    writeFileSync(candidate, JSON.stringify(own), { mode: 0o600 });
    for (;;) {
      try {
        linkSync(candidate, path);
        return { release: () => release(path, nonce) };
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = read(path);
      if (holder !== undefined && isRunning(holder)) return { heldBy: holder.pid };
      if (holder !== undefined) removeStale(path, holder.nonce);
    }
  } finally {
    rmSync(candidate, { force: true });
  }
}

/** Waits for the lock in the file at `path` and takes it. After two seconds of waiting, calls `onWait` once with the holder's process ID. */
async function waitForLock(path, onWait) {
  const startedMs = Date.now();
  for (let isReported = false; ; await sleep(200)) {
    const lock = tryLock(path);
    if ('release' in lock) return lock;
    if (isReported || Date.now() - startedMs < QUIET_MS) continue;
    onWait(lock.heldBy);
    isReported = true;
  }
}

/** Removes the lock file of a holder that has ended. If another process has taken the lock meanwhile, restores that process's lock file. */
function removeStale(path, nonce) {
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

/**
 * Returns the content of a lock file; undefined if there is no file. For a file that can't be parsed, returns content that names a holder
 * that has ended.
 */
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
    // A full disk or a power failure can have truncated the file; its holder does not run any more.
    return { pid: -1, started: 'never', nonce: undefined };
  }
}

module.exports = { tryLock, waitForLock };
