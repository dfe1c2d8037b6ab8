import { unauthenticated } from "@asset-register/runtime";
import type { SignInCall } from "../../context.ts";
import { CHALLENGE_MS } from "../../domain/challenge.ts";
import type { DeviceDescription, SignIn } from "../../domain/session.ts";
import type { SsoCode } from "../../domain/sso/identity.ts";
import { sha256 } from "../../domain/token.ts";
import type { User } from "../../domain/user.ts";
import { type SecondStep, secondStep } from "../mfa/second-step.ts";
import { admitAddress } from "../sessions/admit-address.ts";
import { startSession } from "../sessions/start-session.ts";
import { sessionOfCode } from "./session-of-code.ts";
import type { SsoContext } from "./sso-context.ts";
import { openState } from "./state.ts";

export type ExchangeSso = DeviceDescription & {
  code: string;
  /** The cookie of the browser. Empty without it. */
  state: string;
  deviceUuid?: string | undefined;
  clientAddress?: string | undefined;
};

const refused = () => unauthenticated("The sign-in is not valid any more. Begin again.");

/**
 * Starts the session of a sign-in with a provider, once, in the browser that has begun it. A code of another browser is
 * refused and stays: its own browser can still use it. A user with a second factor has to show it, unless the provider's
 * sign-in counts as two.
 */
export async function exchangeSso(
  context: SsoContext,
  input: ExchangeSso,
  call: SignInCall,
): Promise<SignIn | SecondStep> {
  const { stores, credentialVersions } = context;
  await credentialVersions.requireReachable();
  const code = await stores.ssoCodes.find(sha256(input.code));
  if (code === undefined || !isOfBrowser(context, code, input.state)) {
    // Counted like a wrong password. The start of a sign-in has counted the right ones.
    await admitAddress(context, "sign_in", input.clientAddress);
    throw refused();
  }
  const { workspaceId } = code;
  const [user, workspace, connection] = await Promise.all([
    stores.users.get(workspaceId, code.userId),
    stores.workspaces.get(workspaceId),
    stores.ssoConnections.get(workspaceId),
  ]);
  if (user === undefined || workspace?.status !== "active" || connection?.id !== code.connectionId)
    throw refused();
  const { device, clientAddress } = deviceOf(input);
  if (user.hasMfa === true && !connection.mfaByProvider) return askSecondFactor(context, user, code, device);
  const { use, ...ofCode } = sessionOfCode(context, code);
  const signIn = await startSession(
    context,
    user,
    {
      ...{ ...device, clientAddress, ...ofCode },
      factors: connection.mfaByProvider ? ["sso", "provider_mfa"] : ["sso"],
      async alongside(transaction, at, session) {
        if (!(await use(transaction, at, session))) throw refused();
      },
    },
    call,
  );
  if (signIn === undefined) throw refused();
  return signIn;
}

/** Whether the code can be used still, by the browser with this cookie. */
function isOfBrowser({ sso, now }: SsoContext, code: SsoCode, state: string): boolean {
  if (code.challengedAt !== undefined || code.expiresAt <= now()) return false;
  const started = openState(sso.keyring, code.connectionId, state, now());
  return started !== undefined && sha256(started.state) === code.stateHash;
}

/** The provider's sign-in is the first factor. The code waits for the second one, as long as its challenge lasts. */
async function askSecondFactor(
  context: SsoContext,
  user: User,
  { workspaceId, id: ssoCodeId }: SsoCode,
  device: DeviceDescription & { deviceUuid?: string | undefined },
): Promise<SecondStep> {
  const at = context.now();
  const until = new Date(at.getTime() + CHALLENGE_MS);
  if (!(await context.stores.ssoCodes.challenge(workspaceId, ssoCodeId, at, until))) throw refused();
  return secondStep(context, user, { ...device, ssoCodeId });
}

const deviceOf = ({ code: _, state: __, clientAddress, ...device }: ExchangeSso) => ({
  device,
  clientAddress,
});
