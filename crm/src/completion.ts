import type { Command, Option } from 'commander';

/** A command or an option, as a shell offers it. */
interface Choice {
  readonly word: string;
  readonly description: string;
}

/** What may follow some words. */
interface Place {
  /** The names of the commands before, such as `users create`; empty at the start. */
  readonly path: string;
  readonly choices: readonly Choice[];
  /** Whether one of its commands follows, and no file. */
  readonly hasCommands: boolean;
}

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** A script for a shell that completes the words of `crm`, generated from the commands themselves. */
export function completionFor(program: Command, shell: Shell): string {
  return scripts[shell](placesIn(program, []));
}

function placesIn(command: Command, path: readonly string[], inherited: readonly Option[] = []): Place[] {
  const commands = command.commands.map((one) => ({ word: one.name(), description: one.description() }));
  const options = [...command.options, ...inherited];
  const named = options.flatMap(({ long, description }) => (long ? [{ word: long, description }] : []));
  const choices = [...commands, ...named, { word: '--help', description: 'show help' }];
  return [
    { path: path.join(' '), choices, hasCommands: commands.length > 0 },
    ...command.commands.flatMap((one) => placesIn(one, [...path, one.name()], options)),
  ];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const pathsIn = (places: readonly Place[]) => places.flatMap(({ path }) => (path === '' ? [] : [path]));

const scripts: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: (places) => `_crm() {
  local place="" next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${place:+$place }\${COMP_WORDS[i]}"
    case "$next" in
      ${pathsIn(places).map(quoted).join('|')}) place="$next" ;;
    esac
  done
  local choices=""
  case "$place" in
${places.map(({ path, choices }) => `    ${quoted(path)}) choices=${quoted(choices.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _crm crm
`,

  zsh: (places) => `#compdef crm
_crm() {
  local place="" next word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${place:+$place }$word"
    case "$next" in
      ${pathsIn(places).map(quoted).join('|')}) place="$next" ;;
    esac
  done
  case "$place" in
${places.map(({ path, choices }) => `    ${quoted(path)}) choices=(${choices.map(described).join(' ')}) ;;`).join('\n')}
  esac
  _describe crm choices || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _crm crm
`,

  fish: (places) => `function __crm_place
  set -l place
  for word in (commandline -opc)[2..]
    set -l next (string trim "$place $word")
    if contains -- "$next" ${pathsIn(places).map(quoted).join(' ')}
      set place "$next"
    end
  end
  test "$place" = "$argv[1]"
end
${places
  .flatMap(({ path, choices, hasCommands }) =>
    choices.map(
      ({ word, description }) =>
        `complete -c crm -n ${quoted(`__crm_place ${quoted(path)}`)}${hasCommands ? ' -f' : ''} -a ${quoted(word)} -d ${quoted(description)}`,
    ),
  )
  .join('\n')}
`,
};

/** zsh uses a colon before the description. */
const described = ({ word, description }: Choice) => quoted(`${word.replaceAll(':', '\\:')}:${description}`);
