/** `carecover completion`: a script for a shell, generated from the commands, so that the shell starts no process to complete a word. */
import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-context';

const SHELLS = ['bash', 'zsh'] as const;

/** The words with which a shell completes what follows a command: its subcommands and the values of its first argument, or its options. */
interface Completions {
  /** The command's name after the names of the commands that contain it, separated by spaces. */
  readonly path: string;
  readonly words: readonly string[];
  readonly options: readonly string[];
}

function completionsOf(command: Command, path: string): Completions[] {
  const words = [
    ...command.commands.map((each) => each.name()),
    ...(command.registeredArguments[0]?.argChoices ?? []),
  ];
  const options = [...command.options.map(({ long }) => long ?? ''), '--help'];
  const below = command.commands.flatMap((each) => completionsOf(each, `${path} ${each.name()}`.trim()));
  return [{ path, words, options }, ...below];
}

/**
 * Returns the completion script for a shell. The script completes file names after a word that is no command. The script for zsh uses
 * zsh's emulation of bash completion.
 */
function renderScript(program: Command, shell: (typeof SHELLS)[number]): string {
  const completions = completionsOf(program, '');
  const cases = completions.map(
    ({ path, words, options }) =>
      `    "${path}") words="${words.join(' ')}"; options="${options.join(' ')}" ;;`,
  );
  const commands = completions.map(({ path }) => `"${path}"`).join('|');
  const script = `_carecover() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" next words options i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${COMP_WORDS[i]}"
    [ -n "$command" ] && next="$command $next"
    case "$next" in
      ${commands}) command="$next" ;;
    esac
  done
  case "$command" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) words="$options" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _carecover carecover
`;
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}

/** Adds the command `completion`. @param createProgram creates the program with all commands */
export function addCompletion(createProgram: (context: CommandContext) => Promise<Command>) {
  return (completion: Command, context: CommandContext): void => {
    completion
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
      .addHelpText(
        'after',
        '\nIt completes the command carecover. For example, in ~/.bashrc:\n  alias carecover="npx carecover"; eval "$(npx carecover completion bash)"',
      )
      .action(async (shell: (typeof SHELLS)[number]) => {
        context.output.write(renderScript(await createProgram(context), shell));
      });
  };
}
