import { implement } from '@crm/service';
import { noteEvent } from '../security-events/note-event.ts';
import { lockActiveUser } from '../users/user-named.ts';
import { applicationApi } from './application.api.ts';
import { Application } from './application.entity.ts';
import { changeApplication, removeApplication, rotateSecret } from './change-application.ts';
import { createApplication } from './create-application.ts';

export const applicationHandlers = implement(applicationApi, {
  find: async ({ em }) => {
    const all = await em.find(Application, { removed_at: null }, { orderBy: { id: 1 } });
    return { data: all.map(shown) };
  },

  create: async (ctx, { owner, ...draft }) => {
    const { id } = await lockActiveUser(ctx, owner);
    const { application, client_secret } = await createApplication(ctx, id, draft);
    const event = { userId: id, kind: 'application registered', origin: undefined } as const;
    await noteEvent(ctx.query, { ...event, applicationId: application.id });
    return { ...shown(application), client_secret };
  },

  change: async (ctx, { id, is_disabled, ...changes }) => {
    const disabling = is_disabled !== undefined && { disabled_at: is_disabled ? ctx.now() : null };
    return shown(await changeApplication(ctx, { id }, { ...changes, ...disabling }));
  },

  rotateSecret: async (ctx, { id, at_once }) => {
    const { application, client_secret } = await rotateSecret(ctx, { id }, at_once);
    return { ...shown(application), client_secret };
  },

  remove: async (ctx, { id }) => shown(await removeApplication(ctx, { id })),
});

function shown({ disabled_at, removed_at: _, created_at, modified_at, ...application }: Application) {
  return {
    ...application,
    is_disabled: disabled_at !== null && disabled_at !== undefined,
    created_at: created_at.toISOString(),
    modified_at: modified_at.toISOString(),
  };
}
