import { createMailer, smtpSettings } from "@asset-register/mail";
import { createSweeper } from "@asset-register/mongo";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { invitationMails } from "../migrations/0002-invitation-mails.ts";
import { mailTurns } from "../migrations/0003-mail-turns.ts";
import { accountTokens } from "../migrations/0004-account-tokens.ts";
import { sso as ssoCollections } from "../migrations/0005-sso.ts";
import { secondFactors } from "../migrations/0006-second-factors.ts";
import { keyExpiry } from "../migrations/0007-key-expiry.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createAccountMailWorker } from "./mailing/mail-worker.ts";
import { warnOfExpiry } from "./operations/api-keys/warn-of-expiry.ts";
import { checkDomains } from "./operations/sso/check-domains.ts";
import { emailPage, resetPage } from "./pages.ts";
import { createSso } from "./providers/create-sso.ts";
import { published } from "./published.ts";
import { apiKeyService } from "./rpc/api-keys.ts";
import { auditService } from "./rpc/audit.ts";
import { credentialService } from "./rpc/credentials.ts";
import { deviceService } from "./rpc/devices.ts";
import { mfaService } from "./rpc/mfa.ts";
import { nameService } from "./rpc/names.ts";
import { passkeyService } from "./rpc/passkeys.ts";
import { passwordService } from "./rpc/passwords.ts";
import { sessionService } from "./rpc/sessions.ts";
import { ssoService } from "./rpc/sso.ts";
import { userDirectoryService } from "./rpc/user-directory.ts";
import { userService } from "./rpc/users.ts";
import { workspaceService } from "./rpc/workspaces.ts";
import { sealed } from "./sealed.ts";

const services = [
  apiKeyService,
  auditService,
  credentialService,
  deviceService,
  mfaService,
  nameService,
  passwordService,
  passkeyService,
  sessionService,
  userDirectoryService,
  userService,
  workspaceService,
];

/** Each look finds the domains that were not looked at for a day, or the keys that expire soon. */
const SWEEP_MS = 600_000;

export type Overrides = { now?: () => Date };

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now }: Overrides = {}): Promise<Service> {
  return createService({
    name: "identity",
    config,
    now,
    migrations: [
      ...[indexes, invitationMails, mailTurns, accountTokens],
      ...[ssoCollections, secondFactors, keyExpiry],
    ],
    sealed,
    published,
    async build(base) {
      const { context: common, parts } = await createContext(base, config);
      const sso = createSso(config, base);
      const context = { ...common, sso };
      const smtp = smtpSettings(config);
      const mails =
        smtp &&
        createAccountMailWorker(context, createMailer(smtp), {
          ...{ keyring: base.keyring, invitationPage: config.INVITATION_URL },
          pages: { reset: resetPage(config.PUBLIC_URL), email: emailPage(config.PUBLIC_URL) },
        });
      return {
        rpc: [...services.map((service) => service(context)), ssoService(context)],
        // Readiness does not wait for the audit log: no other answer depends on it.
        consumers: [{ subscriptions: subscriptions(context), projects: false }],
        parts: [
          ...parts,
          { name: "providers", stop: sso.providers.close },
          {
            name: "sso-domains",
            role: "worker",
            ...createSweeper(context, "sso-domains", [
              { name: "domains", everyMs: SWEEP_MS, run: (signal) => checkDomains(context, signal) },
            ]),
          },
          ...(mails
            ? [
                { name: "mails", role: "worker" as const, ...mails },
                {
                  name: "key-expiry",
                  role: "worker" as const,
                  ...createSweeper(context, "key-expiry", [
                    { name: "keys", everyMs: SWEEP_MS, run: (signal) => warnOfExpiry(context, signal) },
                  ]),
                },
              ]
            : []),
        ],
      };
    },
  });
}
