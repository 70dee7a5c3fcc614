/**
 * Shortens stack traces in the workflow sandbox. The SDK records one per promise and maps each frame to the sources; with the default of
 * ten frames this takes a sixth of a workflow task's CPU time. Three frames show where an error was thrown. This module is loaded
 * before any workflow, because the sandbox is frozen afterwards.
 */
Error.stackTraceLimit = 3;
