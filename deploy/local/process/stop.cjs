/**
 * Stops the processes that are recorded in a file, such as the children of a killed supervisor. This file is plain JavaScript, because
 * the reaper loads it.
 */
const { readFileSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { isRunning } = require('./identity.cjs');

const GRACE_MS = 6_000;
const POLL_MS = 25;

/** Returns the records of processes in a file: none if there is no such file or it can't be parsed. */
function readRecords(path) {
  try {
    const records = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(records) ? records.filter((record) => Number.isInteger(record?.pid)) : [];
  } catch {
    // A file that can't be parsed has no records: the supervisor replaces the file atomically, so what it wrote can always be parsed.
    return [];
  }
}

/** Stops the recorded processes that still run, and kills those that run after the grace period. Returns the names of the stopped ones. */
async function stopRecorded(records, graceMs = GRACE_MS) {
  const running = records.filter(isRunning);
  for (const record of running) signal(record, record.stopSignal ?? 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (running.some(isRunning) && Date.now() < deadline) await sleep(POLL_MS);
  for (const record of running) if (isRunning(record)) signal(record, 'SIGKILL');
  while (running.some(isRunning)) await sleep(POLL_MS);
  return running.map((record) => record.name);
}

function signal(record, name) {
  try {
    process.kill(record.pid, name);
  } catch (error) {
    // The error code ESRCH means that the process has ended in the meantime.
    if (error.code !== 'ESRCH') throw error;
  }
}

module.exports = { readRecords, stopRecorded };
