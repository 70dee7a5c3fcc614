/**
 * Stops processes known by their records alone: what a killed supervisor left behind. Plain JavaScript, since the
 * reaper runs it too.
 */
const { readFileSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { stillRuns } = require('./identity.cjs');

const GRACE_MS = 6_000;
const LOOK_AGAIN_MS = 25;

/** The processes recorded in a file; none when there is no such file or it isn't one of ours. */
function readRecords(path) {
  try {
    const records = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(records) ? records.filter((record) => Number.isInteger(record?.pid)) : [];
  } catch {
    // Records are replaced whole, so an unreadable file never held any.
    return [];
  }
}

/** Asks each recorded process that still runs to stop, then kills what is left after the grace; returns their names. */
async function stopRecorded(records, graceMs = GRACE_MS) {
  const running = records.filter(stillRuns);
  for (const record of running) signal(record, record.stopSignal ?? 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (running.some(stillRuns) && Date.now() < deadline) await sleep(LOOK_AGAIN_MS);
  for (const record of running) if (stillRuns(record)) signal(record, 'SIGKILL');
  while (running.some(stillRuns)) await sleep(LOOK_AGAIN_MS);
  return running.map((record) => record.name);
}

function signal(record, name) {
  try {
    process.kill(record.pid, name);
  } catch (error) {
    // It ended by itself in the meantime.
    if (error.code !== 'ESRCH') throw error;
  }
}

module.exports = { readRecords, stopRecorded };
