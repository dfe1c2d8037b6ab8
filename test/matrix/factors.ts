import { randomUUID } from "node:crypto";
import type { Api } from "@asset-register/harness/client";
import type { JsonObject } from "@bufbuild/protobuf";
import { generateSync } from "otplib";
import { createAuthenticator } from "../../services/identity/test/mfa/authenticator.ts";
import { randomClientAddress } from "./send.ts";

/** Second factors of users whom no other test uses: who has one signs in with it. */

const STEP_SECONDS = 30;

/** The part of a RecordFactory that this needs. */
type Workspace = { userApi: Pick<Api, "post">; as(credential: string): Api; publicUrl: string };

/** The code of an app now, or some steps later. */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * STEP_SECONDS });

export async function addTotp(api: Api): Promise<string> {
  const { secret } = await api.post<{ secret: string }>("/me/mfa/totp");
  await api.post("/me/mfa/totp/confirm", { code: codeOf(secret) });
  return secret;
}

/** A registration that was not sent yet, of a passkey in software. */
export async function newPasskey({ publicUrl }: Pick<Workspace, "publicUrl">, api: Api) {
  const { options } = await api.post<{ options: JsonObject }>("/me/passkeys/options");
  const authenticator = createAuthenticator({ origin: publicUrl, rpId: new URL(publicUrl).hostname });
  return { authenticator, registration: authenticator.create(options) };
}

export async function addPasskey(factory: Pick<Workspace, "publicUrl">, api: Api) {
  const { authenticator, registration } = await newPasskey(factory, api);
  const { id } = await api.post<{ id: string }>("/me/passkeys", { name: "Phone", registration });
  return { authenticator, id };
}

/** A new user of the workspace, signed in. */
async function newMember({ userApi, as }: Workspace) {
  const email = `${randomUUID()}@example.com`;
  const password = randomUUID();
  const { token } = await userApi.post<{ token: string }>("/users", { email, name: "Ada" });
  const anyone = as("");
  await anyone.post("/invitations/accept", { token, password }, randomClientAddress());
  const user = { email, password };
  const { access_token } = await anyone.post<{ access_token: string }>("/login", user, randomClientAddress());
  return { user, anyone, api: as(access_token) };
}

export async function memberWithPasskey(factory: Workspace) {
  const { api } = await newMember(factory);
  return addPasskey(factory, api);
}

/** The second step of a sign-in with a code. The code of the present step was used to set the codes up. */
export async function loginWithCode(factory: Workspace) {
  const { api, anyone, user } = await newMember(factory);
  const secret = await addTotp(api);
  const { body } = await anyone.call("POST", "/login", user, randomClientAddress());
  const { challenge, device_uuid } = body as { challenge: string; device_uuid: string };
  return { challenge, device_uuid, code: codeOf(secret, 1) };
}
