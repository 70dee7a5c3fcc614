/**
 * Shortens the stack traces of the workflow sandbox. The SDK takes one for every promise that workflow code makes, and maps each of its
 * frames to the sources: with the usual ten frames that is a sixth of the processor time of a workflow task. Three frames still say where
 * an error was thrown. Loaded before any workflow, since the sandbox is frozen afterwards.
 */
Error.stackTraceLimit = 3;
