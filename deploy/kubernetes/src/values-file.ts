import { yamlOf } from './template.ts';
import { described } from './values.ts';

/** values.yaml, with the meaning above each value. */
export function valuesFile(): string {
  const lines: string[] = ['# Generated, like the templates; see deploy/kubernetes/README.md.'];
  let open: readonly string[] = [];
  for (const { path, value, meaning } of described) {
    const keys = path.split('.');
    const parents = keys.slice(0, -1);
    const same = parents.findIndex((key, index) => key !== open[index]);
    for (const [index, key] of parents.entries())
      if (same !== -1 && index >= same) lines.push(`${'  '.repeat(index)}${key}:`);
    const indent = '  '.repeat(parents.length);
    const text = yamlOf({ [keys.at(-1) ?? '']: value }).trimEnd();
    lines.push(`${indent}# ${meaning}`, ...text.split('\n').map((line) => indent + line));
    open = parents;
  }
  return `${lines.join('\n')}\n`;
}

/** A document with a table of all values. */
export function valuesDocument(): string {
  const rows = described.map(({ path, value, meaning }) => {
    const text = JSON.stringify(value);
    return `| \`${path}\` | ${meaning} | ${text.length > 60 ? 'see values.yaml' : `\`${text}\``} |`;
  });
  const title = '# The chart and its values';
  const origin =
    'See [deploy/kubernetes](../README.md) for how to install it. Generated from `src/values.ts`, like values.yaml.';
  return [title, '', origin, '', '| Value | Meaning | Default |', '|---|---|---|', ...rows, ''].join('\n');
}
