import { errorCode, Refused } from '@crm/contract';
import { ConfigurationError } from '@crm/service/process';
import { CommanderError } from 'commander';
import { printable, printableJson } from './printable.ts';
import { Unable } from './system/unable.ts';

interface Failure {
  readonly error: string;
  readonly message: string;
  readonly [detail: string]: unknown;
}

/** Why a command failed, as a sentence or, with `--json`, as one object; ends with a line break. */
export function failureText(error: unknown, json: boolean): string {
  const failure = failureOf(error);
  const text = failure.message.split('\n').map(printable).join('\n');
  return `${json ? printableJson(failure) : text}\n`;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Unable) return { error: error.reason, message: error.message, ...error.details };
  if (error instanceof Refused) return refusal(error);
  if (error instanceof ConfigurationError) return { error: 'Configuration', message: error.message };
  if (error instanceof CommanderError) return { error: 'Usage', message: usageSentence(error) };
  if (!(error instanceof Error)) return { error: 'Fault', message: String(error) };
  return { error: 'Fault', message: error.message || errorCode(error) || error.name };
}

function usageSentence({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'The command is missing. --help lists all commands.';
  const [first = '', ...rest] = message.replace(/^error: /, '').replace(/\.?$/, '.');
  return first.toUpperCase() + rest.join('');
}

/** Replaces the names of invalid fields with the options that they came from. */
function refusal({ name, message, reason, errors, details }: Refused): Failure {
  const named = Object.entries(errors).map(([field, text]) => [optionOf(field), text] as const);
  const sentence = named.map(([option, text]) => `${option} ${text}`).join('; ');
  const options = Object.entries(details).map(([field, detail]) => [optionOf(field), detail] as const);
  return {
    error: name,
    reason,
    message: sentence || message,
    errors: Object.fromEntries(named),
    ...(options.length > 0 && { details: Object.fromEntries(options) }),
  };
}

/** Options whose names differ from their fields. */
const options = new Map([
  ['is_broker', '--broker'],
  ['redirect_uris', '--redirect-uri'],
  ['to_user_id', '--to'],
]);

/** For an item of a list, the option without the index. */
function optionOf(field: string): string {
  const [name = field] = field.split('.');
  return options.get(name) ?? `--${name.replaceAll('_', '-')}`;
}
