import { nearest } from '@crm/contract';

/** A longer path is not worth the time of comparing it. */
const maxLength = 100;

/** Finds the path, among templates such as `/contacts/:id`, that an unknown path was most likely meant to be. */
export function nearestPathIn(templates: readonly string[]) {
  const bySize = Map.groupBy(
    [...new Set(templates)].map((template) => template.split('/')),
    ({ length }) => length,
  );
  return (path: string): string | undefined => {
    if (path.length > maxLength) return undefined;
    const sent = path.split('/');
    const candidates = (bySize.get(sent.length) ?? []).map((template) =>
      template.map((part, index) => (part.startsWith(':') ? sent[index] : part)).join('/'),
    );
    return nearest(
      path,
      candidates.filter((candidate) => candidate !== path),
    );
  };
}
