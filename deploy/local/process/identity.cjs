/**
 * Identifies a process by its ID and start time, because another process can reuse the ID. So a recorded process can be signalled without
 * the risk of signalling another one. This file is plain JavaScript, because it runs before the build.
 */
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');

/**
 * Returns the start time of a process, as an opaque text that is unique for this ID. Returns undefined if there is no such process or it is
 * a zombie.
 */
function startTime(pid) {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

function startTimeFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field of the line is the program's name in parentheses, which can itself contain parentheses. No later field contains
    // one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticksSinceBoot] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${ticksSinceBoot}`;
  } catch {
    // A read from /proc fails if there is no process with this ID, or if the process ends between the reads.
    return undefined;
  }
}

function startTimeFromPs(pid) {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    if (line === '' || line.startsWith('Z')) return undefined;
    return line.replace(/^\S+\s+/, '');
  } catch {
    // ps exits with code 1 if there is no process with this ID.
    return undefined;
  }
}

/** Returns whether a recorded process still runs. */
function isRunning(record) {
  const started = startTime(record.pid);
  return started !== undefined && started === record.started;
}

/** Returns the command line of a process; undefined if there is no such process. */
function commandLine(pid) {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    // There is no such process.
    return undefined;
  }
}

module.exports = { startTime, isRunning, commandLine };
