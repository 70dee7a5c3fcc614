/**
 * Tells a process from another that was given the same id later, so that a recorded id can be signalled without ever
 * hitting an innocent process. Plain JavaScript, since it runs before anything is built.
 */
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');

/**
 * When the process started, as an opaque text that no other process of this id ever shares; undefined when there is no
 * such process or it has ended and only waits for its parent.
 */
function startTime(pid) {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

function startTimeFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name stands in parentheses and may hold anything; the fields after it are numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticksSinceBoot] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${ticksSinceBoot}`;
  } catch {
    // No such process; one that ends between the two reads is the same case.
    return undefined;
  }
}

function startTimeFromPs(pid) {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    if (line === '' || line.startsWith('Z')) return undefined;
    return line.replace(/^\S+\s+/, '');
  } catch {
    // ps exits with 1 where there is no such process.
    return undefined;
  }
}

/** Whether the process that was recorded with this start time still runs. */
function stillRuns(record) {
  const started = startTime(record.pid);
  return started !== undefined && started === record.started;
}

/** The process's command line; undefined when there is no such process. */
function commandLine(pid) {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    // As above: no such process.
    return undefined;
  }
}

module.exports = { startTime, stillRuns, commandLine };
