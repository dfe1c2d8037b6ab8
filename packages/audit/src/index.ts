export { type AuditedBy, auditEvent } from "./audit-event.ts";
