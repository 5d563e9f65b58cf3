import { implement } from '@crm/service';
import { sendingPauseApi } from './sending-pause.api.ts';
import { addPause, findPauses, removePause } from './sending-pause.queries.ts';

export const sendingPauseHandlers = implement(sendingPauseApi, {
  find: ({ query }) => findPauses(query),
  add: ({ query }, { user_id }) => addPause(query, user_id, 'operator'),
  remove: async ({ query }, { user_id }) => {
    await removePause(query, user_id, 'operator');
    return {};
  },
});
