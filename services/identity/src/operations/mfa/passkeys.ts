import { isDuplicateKey } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { conflict, invalid, newId, notFound, requireRev, unauthenticated } from "@asset-register/runtime";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Context } from "../../context.ts";
import { MAX_PASSKEYS, type Passkey } from "../../domain/mfa.ts";
import { factorAdded, factorRemoved } from "../../domain/notices.ts";
import { PASSKEYS_BY_CREDENTIAL } from "../../store/passkeys.ts";
import { challengeOf, creationOptions, verifyRegistration } from "../../webauthn.ts";
import { auditEntry } from "../audit-entry.ts";
import { changeFactors, recentUser } from "./change-factors.ts";
import { recoveryIfFirst } from "./recovery-codes.ts";
import { saveFactors } from "./save-factors.ts";

/** Options for the registration of a passkey. */
export async function startPasskey(context: Context, call: Call) {
  const { mongo, stores, challenges, webauthn } = context;
  const { workspaceId, id, sessionId } = await recentUser(context, call);
  return mongo.transaction(call, async (transaction) => {
    const user = await stores.users.get(workspaceId, id, transaction);
    if (user === undefined) throw unauthenticated();
    const passkeys = await stores.passkeys.ofUser(workspaceId, id, transaction);
    if (passkeys.length >= MAX_PASSKEYS) throw tooMany();
    const { userHandle: handle } = await saveFactors(context, user, {}, transaction);
    const challenge = challenges.make({ purpose: "registration", userId: id, rev: user.rev, sessionId });
    return { options: creationOptions(webauthn, { ...user, handle }, passkeys, challenge) };
  });
}

const tooMany = () =>
  conflict("TOO_MANY_PASSKEYS", `A user can have ${MAX_PASSKEYS} passkeys. Remove one first.`, [
    { field: "passkeys", message: String(MAX_PASSKEYS) },
  ]);

const notValid = () =>
  invalid([{ field: "registration", message: "is not valid here, or has expired: start again" }]);

export type CreatePasskey = { name: string; registration: RegistrationResponseJSON };

export async function createPasskey(context: Context, { name, registration }: CreatePasskey, call: Call) {
  const { stores, challenges, webauthn } = context;
  const { id: userId, workspaceId, sessionId } = await recentUser(context, call);
  const challenge = challenges.open("registration", challengeOf(registration) ?? "");
  if (challenge?.userId !== userId || challenge.sessionId !== sessionId) throw notValid();
  const registered = await verifyRegistration(webauthn, registration, challenge.text);
  if (registered === undefined) throw notValid();
  try {
    return await changeFactors(context, call, async ({ user, before, at, transaction }) => {
      if (challenge.rev !== user.rev) throw notValid();
      if (before.passkeys.length >= MAX_PASSKEYS) throw tooMany();
      if (!(await stores.usedChallenges.use(challenge, transaction))) throw notValid();
      const { rpId } = webauthn;
      const made = { id: newId("pky"), workspaceId, userId, name, ...registered };
      const passkey: Passkey = { ...made, rpId, createdAt: at, rev: 1 };
      await stores.passkeys.insert(workspaceId, passkey, transaction);
      const { recovery, recoveryCodes } = recoveryIfFirst(context, user, before);
      await saveFactors(context, user, recovery, transaction);
      return {
        result: { passkey, recoveryCodes },
        entry: { action: "passkey.created", changes: [{ field: "name", after: name }] },
        notice: factorAdded(user.name, `the passkey ${name}`),
        proved: "passkey",
      };
    });
  } catch (error) {
    if (isDuplicateKey(error, PASSKEYS_BY_CREDENTIAL)) throw notValid();
    throw error;
  }
}

type OfPasskey = { id: string; ifRevIn: readonly number[] };

async function ownPasskey(
  { stores }: Context,
  userId: string,
  workspaceId: string,
  { id }: OfPasskey,
  transaction: Parameters<Context["stores"]["passkeys"]["remove"]>[2],
) {
  const found = await stores.passkeys.get(workspaceId, id, transaction);
  if (found?.userId !== userId) throw notFound("passkey");
  return found;
}

/** Renames a passkey. It ends no session. */
export async function updatePasskey(
  context: Context,
  input: OfPasskey & { name?: string | undefined },
  call: Call,
): Promise<Passkey> {
  const { mongo, stores, now } = context;
  const { workspaceId, id: userId } = await recentUser(context, call);
  return mongo.transaction(call, async (transaction) => {
    const before = await ownPasskey(context, userId, workspaceId, input, transaction);
    requireRev(before.rev, input.ifRevIn);
    const { name = before.name } = input;
    if (name === before.name) return before;
    const passkey = { ...before, name, rev: before.rev + 1 };
    await stores.passkeys.save(workspaceId, passkey, before.rev, transaction);
    const changes = [{ field: "name", before: before.name, after: name }];
    const entry = auditEntry(call, now(), "passkey.changed", userId, changes);
    await stores.auditLog.append(workspaceId, [entry], transaction);
    return passkey;
  });
}

export function deletePasskey(context: Context, input: OfPasskey, call: Call): Promise<object> {
  const { stores } = context;
  return changeFactors(context, call, async ({ user, before, transaction }) => {
    const { workspaceId } = user;
    const passkey = await ownPasskey(context, user.id, workspaceId, input, transaction);
    requireRev(passkey.rev, input.ifRevIn);
    await stores.passkeys.remove(workspaceId, passkey.id, transaction);
    const isLast = before.passkeys.length === 1 && before.factors?.totp === undefined;
    if (isLast) await saveFactors(context, user, { recovery: undefined }, transaction);
    return {
      result: {},
      entry: { action: "passkey.deleted", changes: [{ field: "name", before: passkey.name }] },
      notice: factorRemoved(user.name, `the passkey ${passkey.name}`),
    };
  });
}
