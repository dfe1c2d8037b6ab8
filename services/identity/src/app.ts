import { createMailer, smtpSettings } from "@asset-register/mail";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { invitationMails } from "../migrations/0002-invitation-mails.ts";
import { mailTurns } from "../migrations/0003-mail-turns.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createInvitationMailWorker } from "./mailing/mail-worker.ts";
import { published } from "./published.ts";
import { apiKeyService } from "./rpc/api-keys.ts";
import { auditService } from "./rpc/audit.ts";
import { credentialService } from "./rpc/credentials.ts";
import { deviceService } from "./rpc/devices.ts";
import { sessionService } from "./rpc/sessions.ts";
import { userDirectoryService } from "./rpc/user-directory.ts";
import { userService } from "./rpc/users.ts";
import { workspaceService } from "./rpc/workspaces.ts";
import { sealed } from "./sealed.ts";

const services = [
  apiKeyService,
  auditService,
  credentialService,
  deviceService,
  sessionService,
  userDirectoryService,
  userService,
  workspaceService,
];

export type Overrides = { now?: () => Date };

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now }: Overrides = {}): Promise<Service> {
  return createService({
    name: "identity",
    config,
    now,
    migrations: [indexes, invitationMails, mailTurns],
    sealed,
    published,
    async build(base) {
      const { context, parts } = await createContext(base, config);
      const smtp = smtpSettings(config);
      const mails =
        smtp &&
        createInvitationMailWorker(context, {
          ...{ mailer: createMailer(smtp), keyring: base.keyring, page: config.INVITATION_URL },
        });
      return {
        rpc: services.map((service) => service(context)),
        // Readiness does not wait for the audit log: no other answer depends on it.
        consumers: [{ subscriptions: subscriptions(context), projects: false }],
        parts: mails ? [...parts, { name: "mails", role: "worker", ...mails }] : parts,
      };
    },
  });
}
