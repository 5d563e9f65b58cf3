import type { Store } from '@crm/data';
import { Communication } from './communications/communication.entity.ts';
import { consistency } from './consistency.queries.ts';
import { communicationTable } from './dispatch/communication-dispatch.queries.ts';
import { Scheduling } from './migrations/0001-scheduling.ts';
import { Tasks } from './migrations/0002-tasks.ts';
import { Communications } from './migrations/0003-communications.ts';
import { Outcomes } from './migrations/0004-outcomes.ts';
import { SendingLimits } from './migrations/0005-sending-limits.ts';
import { InboundTexts } from './migrations/0007-inbound-texts.ts';
import { TemplateTexts } from './migrations/0007-template-texts.ts';
import { DelegatedSendings } from './migrations/0010-delegated-sendings.ts';
import { Deliveries } from './migrations/0030-deliveries.ts';
import { AuditEvents } from './migrations/0031-audit-events.ts';
import { DoubtfulSendings } from './migrations/0040-doubtful-sendings.ts';
import { OpenTextPauses } from './migrations/0041-open-text-pauses.ts';
import { UnmatchedBounces } from './migrations/0042-unmatched-bounces.ts';
import { DeadLetters } from './migrations/0050-dead-letters.ts';
import { TextsByDigest } from './migrations/0051-texts-by-digest.ts';
import { WakingInserts } from './migrations/0066-waking-inserts.ts';
import { Causes } from './migrations/0080-causes.ts';
import { CausesOfLaterWork } from './migrations/0110-causes-of-later-work.ts';
import { SparingNotifications } from './migrations/0130-sparing-notifications.ts';
import { AccountRooms } from './migrations/0140-account-rooms.ts';
import { Partitions } from './migrations/0150-partitions.ts';
import { LostEvents } from './migrations/0170-lost-events.ts';
import { taskAlertTable } from './task-alerts/task-alert.queries.ts';
import { TaskCategory } from './task-categories/task-category.entity.ts';
import { Task } from './tasks/task.entity.ts';
import { TaskSeries } from './tasks/task-series.entity.ts';
import { noticeTable } from './text-notices/text-notice.queries.ts';

export const schedulingStore: Store = {
  schema: 'scheduling',
  entities: [Communication, Task, TaskCategory, TaskSeries],
  migrations: [
    { name: '0001-scheduling', class: Scheduling },
    { name: '0002-tasks', class: Tasks },
    { name: '0003-communications', class: Communications },
    { name: '0004-outcomes', class: Outcomes },
    { name: '0005-sending-limits', class: SendingLimits },
    { name: '0007-inbound-texts', class: InboundTexts },
    { name: '0007-template-texts', class: TemplateTexts },
    { name: '0010-delegated-sendings', class: DelegatedSendings },
    { name: '0030-deliveries', class: Deliveries },
    { name: '0031-audit-events', class: AuditEvents },
    { name: '0040-doubtful-sendings', class: DoubtfulSendings },
    { name: '0041-open-text-pauses', class: OpenTextPauses },
    { name: '0042-unmatched-bounces', class: UnmatchedBounces },
    { name: '0050-dead-letters', class: DeadLetters },
    { name: '0051-texts-by-digest', class: TextsByDigest },
    { name: '0066-waking-inserts', class: WakingInserts },
    { name: '0080-causes', class: Causes },
    { name: '0110-causes-of-later-work', class: CausesOfLaterWork },
    { name: '0130-sparing-notifications', class: SparingNotifications },
    { name: '0140-account-rooms', class: AccountRooms },
    { name: '0150-partitions', class: Partitions },
    { name: '0170-lost-events', class: LostEvents },
  ],
  messages: [communicationTable, taskAlertTable, noticeTable],
  // Reminders of these tasks may have been sent.
  onRestore: ['update tasks set reminded_of = due_at where due_at <= now()'],
  consistency,
};
