import { randomUUID } from "node:crypto";
import { generateSync } from "otplib";
import { anonymous, password, type RunningIdentity } from "../support.ts";
import { type Authenticator, createAuthenticator } from "./authenticator.ts";

type SignedIn = Awaited<ReturnType<RunningIdentity["signIn"]>>;

/** The code that an app shows. `step` is that of an earlier or later moment. */
export const codeOf = (identity: RunningIdentity, secret: string, step = 0): string =>
  generateSync({ secret, epoch: Math.floor(identity.context.now().getTime() / 1000) + 30 * step });

/** Sets up codes of an app. The clock then goes on to the next code. */
export async function addTotp(identity: RunningIdentity, { as }: Pick<SignedIn, "as">) {
  const { secret, uri } = await identity.mfa.startTotp({}, as);
  const { recoveryCodes } = await identity.mfa.confirmTotp({ code: codeOf(identity, secret) }, as);
  identity.advance(30_000);
  return { secret, uri, recoveryCodes, code: (step = 0) => codeOf(identity, secret, step) };
}

export async function addPasskey(
  identity: RunningIdentity,
  { as }: Pick<SignedIn, "as">,
  authenticator: Authenticator = createAuthenticator(),
) {
  const { options } = await identity.passkeys.startPasskey({}, as);
  const registration = authenticator.create(options);
  const { passkey, recoveryCodes } = await identity.passkeys.createPasskey(
    { name: "Phone", registration },
    as,
  );
  return { authenticator, recoveryCodes, id: passkey?.id ?? "", passkey };
}

/** The first step of a sign-in of a user with a second factor. */
export async function firstStep(identity: RunningIdentity, email: string, deviceUuid: string = randomUUID()) {
  const { mfa, tokens } = await identity.sessions.login({ email, password, deviceUuid }, anonymous);
  if (mfa === undefined || tokens !== undefined) throw new Error("a sign-in without a second step");
  return { challenge: mfa.challenge, deviceUuid, methods: mfa.methods, options: mfa.passkeyOptions };
}
