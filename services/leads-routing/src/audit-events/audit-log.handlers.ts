import { implement } from '@crm/service';
import { auditLogApi } from './audit-event.api.ts';
import { findAuditEvents } from './find-audit-events.ts';

export const auditLogHandlers = implement(auditLogApi, { find: findAuditEvents });
