import { type BreakingChange, breakAt, merged, type Place, placeOf, removed } from './breaking-change.ts';
import { compareSchemas } from './compare-schemas.ts';
import { type Json, jsonOf, resolved } from './json-schema.ts';

/** Finds what breaks consumers of events. A change of the publishers or consumers themselves breaks nobody. */
export function compareAsyncApi(old: Json, now: Json): BreakingChange[] {
  const messages = messagesOf(now);
  const changes = [...messagesOf(old)].flatMap(([event, before]) => {
    const after = messages.get(event);
    const place = placeOf('asyncapi', event, 'response');
    if (!after) return [removed(place, 'event removed')];
    const both = (keyword: string, here: Place) =>
      compareSchemas(
        { schema: before[keyword], document: old },
        { schema: after[keyword], document: now },
        here,
      );
    const [from, to] = [contentTypeOf(before, old), contentTypeOf(after, now)];
    const says = `has the content type ${to} instead of ${from}`;
    return [
      ...(from === to ? [] : [breakAt(place, { what: 'content type changed', says })]),
      ...both('headers', { ...place, part: 'header' }),
      ...both('payload', place),
    ];
  });
  return merged(changes);
}

const contentTypeOf = ({ contentType }: Json, document: Json) => contentType ?? document.defaultContentType;

/** By address, and by name too if several messages share the address. */
function messagesOf(document: Json): Map<string, Json> {
  return new Map(
    Object.entries(jsonOf(document.channels)).flatMap(([key, raw]) => {
      const channel = resolved(raw, document).value;
      const messages = Object.entries(jsonOf(channel.messages));
      const address = String(channel.address ?? key);
      return messages.map(([name, message]): [string, Json] => [
        messages.length === 1 ? address : `${address} ${name}`,
        resolved(message, document).value,
      ]);
    }),
  );
}
