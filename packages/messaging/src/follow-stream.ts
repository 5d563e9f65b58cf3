import { CloudEvent } from '@crm/events';
import type { StoredMsg } from '@nats-io/jetstream';
import type { Broker } from './broker.ts';
import type { Commits } from './commits.ts';
import type { Session } from './connection.ts';
import { streamOf } from './stream.ts';
import { waker } from './waker.ts';

/** A place in a stream, and the stream: another one of the same name counts from the start. */
interface Place {
  readonly created: number;
  readonly seq: number;
}

export interface Followed {
  /** The place of the event, to continue after it. */
  readonly position: string;
  readonly event: CloudEvent;
}

interface Following {
  readonly broker: Broker;
  /** The publisher, whose stream it is. */
  readonly service: string;
  readonly commits: Pick<Commits, 'subscribe'>;
  readonly signal: AbortSignal;
}

/** What to do about a position that the stream does not have. */
export class UnknownPosition extends Error {
  override readonly name = 'UnknownPosition';
}

const pauses = { firstMs: 20, longestMs: 1_000 };

/**
 * Finds the place after a position, or the end of the stream without one, and returns the events from there on, as they
 * are published. None is left out; one that was published twice comes twice. A stream that was lost is read from its
 * start, because it gets all its events again. Throws `UnknownPosition` for one that the stream does not have any more.
 */
export async function followStream(
  { broker, service, commits, signal }: Following,
  position: string | undefined,
): Promise<AsyncGenerator<Followed>> {
  let session = broker.session();
  let place = await placeAfter(session, service, position);
  const due = waker();
  let pauseMs = pauses.firstMs;
  const wake = () => {
    pauseMs = pauses.firstMs;
    due.wake();
  };
  const next = async () => {
    if (broker.session() !== session) {
      session = broker.session();
      const { created } = await stateOf(session, service);
      if (created !== place.created) place = { created, seq: 0 };
    }
    return session.jsm.direct.getMessage(streamOf(service), {
      seq: place.seq + 1,
      next_by_subj: `crm.${service}.>`,
    });
  };
  async function* events(): AsyncGenerator<Followed> {
    const unsubscribe = [commits.subscribe(wake), broker.onConnect(wake)];
    signal.addEventListener('abort', due.wake);
    try {
      while (!signal.aborted) {
        due.clear();
        // What cannot be read now is read when the broker is there again.
        const message = await next().catch(() => null);
        if (message === null) {
          // The commit that woke it is published a little later.
          await due.wait(pauseMs);
          pauseMs = Math.min(pauseMs * 2, pauses.longestMs);
          continue;
        }
        place = { ...place, seq: message.seq };
        yield { position: textOf(place), event: eventIn(message) };
      }
    } finally {
      for (const stop of unsubscribe) stop();
      signal.removeEventListener('abort', due.wake);
    }
  }
  return events();
}

async function placeAfter(session: Session, service: string, position: string | undefined): Promise<Place> {
  const { created, first, last } = await stateOf(session, service);
  if (position === undefined) return { created, seq: last };
  const [, at = '', seq = ''] = /^([\da-z]{1,12})-(\d{1,15})$/.exec(position) ?? [];
  if (seq === '') throw new UnknownPosition('is not the id of an event that was received');
  if (Number.parseInt(at, 36) !== created) return { created, seq: 0 };
  const place = { created, seq: Number(seq) };
  if (place.seq > last) throw new UnknownPosition('is not the id of an event that was received');
  if (place.seq + 1 < first) {
    throw new UnknownPosition(
      'is too old: events are kept for 14 days. Read the current state, and subscribe without it',
    );
  }
  return place;
}

async function stateOf(session: Session, service: string) {
  const { created, state } = await session.jsm.streams.info(streamOf(service));
  return { created: Date.parse(created), first: state.first_seq, last: state.last_seq };
}

const textOf = ({ created, seq }: Place) => `${created.toString(36)}-${seq}`;

const eventIn = (message: StoredMsg): CloudEvent => CloudEvent.parse(message.json());
