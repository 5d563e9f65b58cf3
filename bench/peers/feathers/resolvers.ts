import { resolve, virtual } from '@feathersjs/schema';
import { comparablePhones } from '../phones.ts';
import type { Contact } from './contact-service.ts';
import type { HookContext } from './context.ts';

export const resultResolver = resolve<Contact, HookContext>({
  tags: virtual(async ({ id }: Contact, { params }: HookContext) =>
    (await params.loaders.tags.load(id)).map(({ content }) => content).join(', '),
  ),
  addresses: virtual(async ({ id }: Contact, { params }: HookContext) =>
    (await params.loaders.addresses.load(id)).map(({ contact_id, ...address }) => address),
  ),
  hotness: virtual(async ({ hotness_id }: Contact, { params }: HookContext) => {
    const found = hotness_id === null ? null : await params.loaders.hotness.load(hotness_id);
    return found && { name: found.name, rank: found.rank, color: found.color };
  }),
  source: virtual(async ({ source_id }: Contact, { params }: HookContext) =>
    source_id === null ? null : params.loaders.source.load(source_id),
  ),
  custom_fields: virtual(async ({ id }: Contact, { params }: HookContext) => {
    const fields = await params.loaders.fields();
    if (fields.length === 0) return [];
    const values = await params.loaders.fieldValues.load(id);
    const found = new Map(values.map(({ custom_field_id, value }) => [custom_field_id, value]));
    return fields.map((field) => ({ ...field, value: found.get(field.id) ?? null }));
  }),
});

const phone = (name: string) => async (_value: unknown, draft: Contact) => comparablePhones(draft)[name];

const phones = {
  mobile_phone_e164: phone('mobile_phone_e164'),
  home_phone_e164: phone('home_phone_e164'),
  office_phone_e164: phone('office_phone_e164'),
};

export const createResolver = resolve<Contact, HookContext>({
  ...phones,
  owner_user_id: async (_value: unknown, _draft: Contact, { params }: HookContext) => params.user.id,
  created_at: async () => new Date(),
  modified_at: async () => new Date(),
});

export const patchResolver = resolve<Contact, HookContext>({
  ...phones,
  modified_at: async () => new Date(),
});
