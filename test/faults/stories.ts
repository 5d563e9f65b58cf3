import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../system/api.ts';
import { type Agent, newAgent, patiently, type Team } from './agents.ts';
import { type Clients, ok } from './client.ts';
import type { System } from './system.ts';

/** What ends a story, and how many seconds after its acknowledgement a provider may still begin to receive its messages. */
export const ends = {
  nothing: undefined,
  STOP: { channels: ['text'], seconds: 5 },
  'a reply': { channels: ['text'], seconds: 5 },
  'a request in words': { channels: ['text'], seconds: 5 },
  // Scheduling is called at once; if it does not respond, the event does the same. One in the hands of a process that
  // stands still comes again after 30 seconds.
  'taken out of the campaign': { channels: ['text', 'email'], seconds: 35 },
  'campaign removed': { channels: ['text', 'email'], seconds: 35 },
  // Rights are asked for at most five seconds before the final check.
  'contact removed': { channels: ['text', 'email'], seconds: 10 },
  'account disabled': { channels: ['text', 'email'], seconds: 10 },
  'share taken back': { channels: ['text', 'email'], seconds: 10 },
  'opted out by an agent': { channels: ['text', 'email'], seconds: 10 },
} as const satisfies Record<string, { channels: readonly string[]; seconds: number } | undefined>;

export type End = keyof typeof ends;
const kindsOfEnd = Object.keys(ends) as End[];

/** A contact to whom a campaign sends until something ends it. */
export interface Story {
  readonly end: End;
  readonly phone: string;
  readonly email: string;
  readonly contact_id: number;
  /** Milliseconds of the monotonic clock; undefined until it was acknowledged. */
  endedAt: number | undefined;
}

export interface Telling {
  readonly system: System;
  readonly clients: Clients;
  readonly team: Team;
  readonly stories: Story[];
  readonly isOver: () => boolean;
  readonly chance: () => number;
  readonly note: (finding: string) => void;
}

const everyMs = 1_000;
/** Twice as many as there are while nothing is slow. With more, their load alone could keep them from ending. */
const mostAtOnce = 60;
/** Between the messages of a campaign, which are texts and e-mails in turn. */
const stepSeconds = 3;
export const messages = 8;

/** Begins a story each second, unless too many are going on, until the run is over. Returns when all have ended. */
export async function tellStories(telling: Telling): Promise<void> {
  const { team, note, isOver } = telling;
  const campaigns = new Map<Agent, Promise<number>>();
  const campaignOf = (agent: Agent) => {
    const known = campaigns.get(agent) ?? newCampaign(agent);
    campaigns.set(agent, known);
    return known;
  };
  const untold = new Set<Promise<void>>();
  for (let number = 0; !isOver(); number++) {
    const end = kindsOfEnd[number % kindsOfEnd.length] ?? 'nothing';
    const agent = team.members[number % team.members.length] ?? team.creator;
    const story = tell(telling, number, end, agent, campaignOf).catch((error: unknown) =>
      note(`a story that is ended by "${end}" was stopped: ${error}`),
    );
    untold.add(story);
    void story.then(() => untold.delete(story));
    await sleep(everyMs);
    while (untold.size >= mostAtOnce) await Promise.race(untold);
  }
  await Promise.all(untold);
}

async function tell(
  telling: Telling,
  number: number,
  end: End,
  agent: Agent,
  campaignOf: (agent: Agent) => Promise<number>,
): Promise<void> {
  const { system, clients, team, stories, chance } = telling;
  const sender = end === 'account disabled' ? await newAgent(system, clients) : agent;
  const owner = end === 'share taken back' && agent === team.creator ? team.members[1] : team.creator;
  const keeper = end === 'share taken back' ? (owner ?? sender) : sender;
  const campaign_id = await (end === 'campaign removed' ? newCampaign(sender) : campaignOf(sender));
  const phone = `+1604${5_560_000 + number}`;
  const email = `story${number}@example.com`;
  const draft = { first_name: 'Story', email, mobile_phone: phone };
  const contact = await ok(keeper.write('POST', '/contacts', draft));
  const shares = `/contacts/${contact.id}/shares`;
  const share =
    keeper === sender ? undefined : await ok(keeper.write('POST', shares, { user_id: sender.id }));
  const path = `/campaigns/${campaign_id}/contacts`;
  const enrolled = await ok(sender.write('POST', path, { contact_id: contact.id }));
  const story: Story = { end, phone, email, contact_id: contact.id, endedAt: undefined };
  stories.push(story);
  await sleep((2 + chance() * (messages - 2) * stepSeconds) * 1_000);
  const effects: Record<End, () => Promise<unknown>> = {
    nothing: async () => undefined,
    STOP: () => texted(telling, phone, 'STOP'),
    'a reply': () => texted(telling, phone, 'Thank you, see you on Monday'),
    'a request in words': () => texted(telling, phone, 'Please stop texting me'),
    'taken out of the campaign': () => ok(sender.write('DELETE', `${path}/${enrolled.id}`)),
    'campaign removed': () => ok(sender.write('DELETE', `/campaigns/${campaign_id}`)),
    'contact removed': () => ok(sender.write('DELETE', `/contacts/${contact.id}`)),
    'account disabled': () =>
      patiently((options) => system.operator.users.disable({ user: sender.id }, options)),
    'share taken back': () => ok(keeper.write('DELETE', `${shares}/${share?.id}`)),
    'opted out by an agent': () => ok(sender.write('PATCH', `/contacts/${contact.id}/consent`, optedOut)),
  };
  await effects[end]();
  story.endedAt = performance.now();
}

const optedOut = { text_state: 'Opted Out', email_state: 'Opted Out' };

/** A text of a contact, which the carrier reports until it is acknowledged. */
async function texted({ system }: Telling, from: string, words: string): Promise<void> {
  for (;;) {
    const { status } = await system.carriers.carrier.reply(from, words).catch(() => ({ status: 0 }));
    if (status === 200) return;
    await sleep(500);
  }
}

/** A campaign with its templates. Each text has its own words, because the same are not sent twice. */
async function newCampaign(agent: Agent): Promise<number> {
  const add = (path: string, draft: Json) => ok(agent.write('POST', path, draft));
  const unique = String(performance.now());
  const folder = await add('/template-folders', { name: unique });
  const campaign = await add('/campaigns', { name: unique });
  for (let place = 0; place < messages; place++) {
    const [template_type, type] = place % 2 === 0 ? ['Text', 'Text Contact'] : ['Email', 'Email Contact'];
    const words = { subject: `Hello ${place}`, body: `This is message ${place}, {{contact.first_name}}.` };
    const template = { template_folder_id: folder.id, description: `${place}`, template_type, ...words };
    const { id: template_id } = await add('/templates', template);
    await add(`/campaigns/${campaign.id}/actions`, {
      type,
      template_id,
      timing_type: 'Delay by Minutes',
      delay_by_seconds: place * stepSeconds,
      ...(type === 'Text Contact' && { is_stopped_on_text_reply: true }),
    });
  }
  return campaign.id;
}
