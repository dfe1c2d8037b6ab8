import { randomBytes } from "node:crypto";
import type { Call } from "@asset-register/rpc";
import { invalid, notFound, unauthenticated } from "@asset-register/runtime";
import { generateURI, ScureBase32Plugin } from "otplib";
import type { Context } from "../../context.ts";
import { stepOfCode, TOTP_SECRET_BYTES, TOTP_STARTED_MS } from "../../domain/mfa.ts";
import { factorAdded, factorRemoved } from "../../domain/notices.ts";
import { changeFactors, recentUser } from "./change-factors.ts";
import { factorPlace } from "./factors-of.ts";
import { recoveryIfFirst } from "./recovery-codes.ts";
import { saveFactors } from "./save-factors.ts";

export type StartedTotp = { secret: string; uri: string };

const ISSUER = "Asset Register";
const base32 = new ScureBase32Plugin();

/** Makes a secret for an app. Nothing changes for the user until it is confirmed. */
export async function startTotp(context: Context, call: Call): Promise<StartedTotp> {
  const { mongo, stores, keyring, now } = context;
  const { workspaceId, id } = await recentUser(context, call);
  const user = await stores.users.get(workspaceId, id);
  if (user === undefined) throw unauthenticated();
  const bytes = randomBytes(TOTP_SECRET_BYTES);
  const secret = base32.encode(bytes, { padding: false });
  const uri = generateURI({ issuer: ISSUER, label: user.email, secret });
  return mongo.transaction(call, async (transaction) => {
    const expiresAt = new Date(now().getTime() + TOTP_STARTED_MS);
    const startedTotp = { secret: keyring.encrypt(bytes, factorPlace(id)), expiresAt };
    await saveFactors(context, { workspaceId, id }, { startedTotp }, transaction);
    return { secret, uri };
  });
}

/** Whether a secret is still waiting to be confirmed. */
export async function isStarted({ stores, keyring }: Context, secret: string, call: Call): Promise<boolean> {
  const started = (await stores.secondFactors.get(call.workspaceId, call.actor.id))?.startedTotp;
  if (started === undefined) return false;
  const bytes = keyring.decrypt(started.secret, factorPlace(call.actor.id));
  return base32.encode(bytes, { padding: false }) === secret;
}

/** Turns codes on: the user has shown that the app has the secret. */
export function confirmTotp(context: Context, { code }: { code: string }, call: Call) {
  return changeFactors(context, call, async ({ user, before, at, transaction }) => {
    const started = before.factors?.startedTotp;
    if (started === undefined || started.expiresAt <= at) {
      throw invalid([{ field: "code", message: "is for no secret that is waiting: start again" }]);
    }
    const secret = context.keyring.decrypt(started.secret, factorPlace(user.id));
    const lastStep = stepOfCode(secret, code, 0, at);
    if (lastStep === undefined) throw invalid([{ field: "code", message: "is wrong" }]);
    const { recovery, recoveryCodes } = recoveryIfFirst(context, user, before);
    // Sealed again: what the driver has read is no longer a Buffer.
    const totp = { secret: context.keyring.encrypt(secret, factorPlace(user.id)), addedAt: at, lastStep };
    const next = { totp, startedTotp: undefined, ...recovery };
    await saveFactors(context, user, next, transaction);
    return {
      result: { recoveryCodes },
      entry: { action: "user.factor_added", changes: [{ field: "factor", after: "totp" }] },
      notice: factorAdded(user.name, "codes of an app"),
      proved: "totp",
    };
  });
}

export function removeTotp(context: Context, call: Call): Promise<object> {
  return changeFactors(context, call, async ({ user, before, transaction }) => {
    if (before.factors?.totp === undefined) throw notFound("second factor");
    const isLast = before.passkeys.length === 0;
    const next = { totp: undefined, ...(isLast && { recovery: undefined }) };
    await saveFactors(context, user, next, transaction);
    return {
      result: {},
      entry: { action: "user.factor_removed", changes: [{ field: "factor", before: "totp" }] },
      notice: factorRemoved(user.name, "codes of an app"),
    };
  });
}
