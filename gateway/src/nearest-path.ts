import { nearest } from '@crm/contract';

/** A longer path is not worth the time of comparing it. */
const maxLength = 100;

/** With which some paths begin, such as `/api/v1`. It says nothing about what was meant. */
const version = /^(?:\/\w+)?\/v\d+(?=\/)/;

/** Finds the path, among templates such as `/contacts/:id`, that an unknown path was most likely meant to be. */
export function nearestPathIn(templates: readonly string[]) {
  const bySize = Map.groupBy(
    [...new Set(templates)].map((template) => {
      const [prefix = ''] = version.exec(template) ?? [];
      return { prefix, parts: template.slice(prefix.length).split('/') };
    }),
    ({ parts }) => parts.length,
  );
  return (path: string): string | undefined => {
    if (path.length > maxLength) return undefined;
    const wanted = path.replace(version, '');
    const sent = wanted.split('/');
    const candidates = new Map(
      (bySize.get(sent.length) ?? []).map(({ prefix, parts }) => {
        const meant = parts.map((part, index) => (part.startsWith(':') ? sent[index] : part)).join('/');
        return [meant, prefix + meant];
      }),
    );
    const others = [...candidates].filter(([, meant]) => meant !== path).map(([meant]) => meant);
    return candidates.get(nearest(wanted, others) ?? '');
  };
}
