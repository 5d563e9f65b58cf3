import { noteRestoration, type Store } from '@crm/data';
import { Communication } from './communications/communication.entity.ts';
import { consistency } from './consistency.queries.ts';
import { communicationTable } from './dispatch/communication-dispatch.queries.ts';
import { taskAlertTable } from './task-alerts/task-alert.queries.ts';
import { TaskCategory } from './task-categories/task-category.entity.ts';
import { Task } from './tasks/task.entity.ts';
import { TaskSeries } from './tasks/task-series.entity.ts';
import { noticeTable } from './text-notices/text-notice.queries.ts';

export const schedulingStore: Store = {
  schema: 'scheduling',
  entities: [Communication, Task, TaskCategory, TaskSeries],
  migrations: [
    { name: '0001-scheduling', load: () => import('./migrations/0001-scheduling.ts') },
    { name: '0002-tasks', load: () => import('./migrations/0002-tasks.ts') },
    { name: '0003-communications', load: () => import('./migrations/0003-communications.ts') },
    { name: '0004-outcomes', load: () => import('./migrations/0004-outcomes.ts') },
    { name: '0005-sending-limits', load: () => import('./migrations/0005-sending-limits.ts') },
    { name: '0007-inbound-texts', load: () => import('./migrations/0007-inbound-texts.ts') },
    { name: '0007-template-texts', load: () => import('./migrations/0007-template-texts.ts') },
    { name: '0010-delegated-sendings', load: () => import('./migrations/0010-delegated-sendings.ts') },
    { name: '0030-deliveries', load: () => import('./migrations/0030-deliveries.ts') },
    { name: '0031-audit-events', load: () => import('./migrations/0031-audit-events.ts') },
    { name: '0040-doubtful-sendings', load: () => import('./migrations/0040-doubtful-sendings.ts') },
    { name: '0041-open-text-pauses', load: () => import('./migrations/0041-open-text-pauses.ts') },
    { name: '0042-unmatched-bounces', load: () => import('./migrations/0042-unmatched-bounces.ts') },
    { name: '0050-dead-letters', load: () => import('./migrations/0050-dead-letters.ts') },
    { name: '0051-texts-by-digest', load: () => import('./migrations/0051-texts-by-digest.ts') },
    { name: '0066-waking-inserts', load: () => import('./migrations/0066-waking-inserts.ts') },
    { name: '0080-causes', load: () => import('./migrations/0080-causes.ts') },
    { name: '0110-causes-of-later-work', load: () => import('./migrations/0110-causes-of-later-work.ts') },
    { name: '0130-sparing-notifications', load: () => import('./migrations/0130-sparing-notifications.ts') },
    { name: '0140-account-rooms', load: () => import('./migrations/0140-account-rooms.ts') },
    { name: '0150-partitions', load: () => import('./migrations/0150-partitions.ts') },
    { name: '0170-lost-events', load: () => import('./migrations/0170-lost-events.ts') },
    {
      name: '0210-partitioned-communications',
      load: () => import('./migrations/0210-partitioned-communications.ts'),
    },
    { name: '0250-publish-again', load: () => import('./migrations/0250-publish-again.ts') },
    { name: '0250-outdated-sendings', load: () => import('./migrations/0250-outdated-sendings.ts') },
    { name: '0260-opt-out-requests', load: () => import('./migrations/0260-opt-out-requests.ts') },
    { name: '0261-text-fetches', load: () => import('./migrations/0261-text-fetches.ts') },
    { name: '0270-doubtful-attempts', load: () => import('./migrations/0270-doubtful-attempts.ts') },
    { name: '0271-pauses-by-whom', load: () => import('./migrations/0271-pauses-by-whom.ts') },
    { name: '0300-owners-of-alerts', load: () => import('./migrations/0300-owners-of-alerts.ts') },
    { name: '0301-counted-changes', load: () => import('./migrations/0301-counted-changes.ts') },
    { name: '0302-reminders-anew', load: () => import('./migrations/0302-reminders-anew.ts') },
    { name: '0310-restorations', load: () => import('./migrations/0310-restorations.ts') },
    { name: '0320-media-of-texts', load: () => import('./migrations/0320-media-of-texts.ts') },
    {
      name: '0360-removed-task-categories',
      load: () => import('./migrations/0360-removed-task-categories.ts'),
    },
    { name: '0361-removed-contacts', load: () => import('./migrations/0361-removed-contacts.ts') },
    { name: '0380-removed-emails', load: () => import('./migrations/0380-removed-emails.ts') },
    {
      name: '0395-key-of-removed-sendings',
      load: () => import('./migrations/0395-key-of-removed-sendings.ts'),
    },
    { name: '0410-removed-recipients', load: () => import('./migrations/0410-removed-recipients.ts') },
    { name: '0440-same-mailboxes', load: () => import('./migrations/0440-same-mailboxes.ts') },
    {
      name: '0470-reminders-of-changed-tasks',
      load: () => import('./migrations/0470-reminders-of-changed-tasks.ts'),
    },
  ],
  messages: [communicationTable, taskAlertTable, noticeTable],
  onRestore: [noteRestoration],
  consistency,
};
