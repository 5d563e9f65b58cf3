import { AuditEventView, find, operation, pageOf } from '@crm/contract';

/** The audit log of all services, which this service can call. */
export const auditLogApi = {
  find: operation({
    rest: 'GET /audit-events',
    summary:
      'List what was done by you and on your behalf, and, if you are a broker, by and for the users who let you act for them; newest first by default',
    input: find(AuditEventView),
    output: pageOf(AuditEventView),
  }),
};
