import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import type { Passkey } from "./domain/mfa.ts";

/** Where passkeys work: WEBAUTHN_RP_ID and WEBAUTHN_ORIGINS. */
export type WebAuthn = { rpId: string; origins: string[] };

/** EdDSA, ES256 and RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = 5 * 60_000;

const described = ({ credentialId, transports }: Passkey) => ({
  ...{ type: "public-key", id: credentialId, transports },
});

/** PublicKeyCredentialCreationOptionsJSON. */
export const creationOptions = (
  { rpId }: WebAuthn,
  user: { handle: string; email: string; name: string },
  passkeys: readonly Passkey[],
  challenge: string,
) => ({
  challenge,
  rp: { id: rpId, name: "Asset Register" },
  user: { id: user.handle, name: user.email, displayName: user.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
  timeout: TIMEOUT_MS,
  excludeCredentials: passkeys.map(described),
  authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  attestation: "none",
});

/** PublicKeyCredentialRequestOptionsJSON. Without passkeys the authenticator offers those that it has. */
export const requestOptions = (
  { rpId }: WebAuthn,
  challenge: string,
  userVerification: "required" | "preferred",
  passkeys: readonly Passkey[] = [],
) => ({
  ...{ challenge, rpId, timeout: TIMEOUT_MS, userVerification },
  allowCredentials: passkeys.filter((one) => one.rpId === rpId).map(described),
});

const clientData = z.object({ challenge: z.string() });

/** The challenge that a response has signed. Undefined when it can't be read. */
export function challengeOf(response: { response: { clientDataJSON: string } }): string | undefined {
  try {
    const json = Buffer.from(response.response.clientDataJSON, "base64url").toString();
    return clientData.parse(JSON.parse(json)).challenge;
  } catch {
    return undefined;
  }
}

export type Registered = Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports" | "synced">;

/** The new key pair of a registration. Undefined when it is not valid for this platform and challenge. */
export async function verifyRegistration(
  { rpId, origins }: WebAuthn,
  response: RegistrationResponseJSON,
  expectedChallenge: string,
): Promise<Registered | undefined> {
  const verified = await verifyRegistrationResponse({
    ...{ response, expectedChallenge, expectedOrigin: origins, expectedRPID: rpId },
    ...{ requireUserVerification: false, supportedAlgorithmIDs: ALGORITHMS },
  }).catch(() => undefined);
  if (verified?.registrationInfo === undefined) return undefined;
  const { credential, credentialDeviceType } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: credential.transports ?? [],
    synced: credentialDeviceType === "multiDevice",
  };
}

export type Asserted = { counter: number; userVerified: boolean };

/**
 * The proof of an assertion. Undefined when it is not valid for this passkey, platform and challenge, and when the
 * passkey's counter has not risen: then a copy of it may be in use.
 */
export async function verifyAssertion(
  { rpId, origins }: WebAuthn,
  response: AuthenticationResponseJSON,
  { credentialId, publicKey, counter, transports }: Passkey,
  expectedChallenge: string,
): Promise<Asserted | undefined> {
  const key = new Uint8Array(Buffer.from(publicKey, "base64url"));
  const verified = await verifyAuthenticationResponse({
    ...{ response, expectedChallenge, expectedOrigin: origins, expectedRPID: rpId },
    requireUserVerification: false,
    credential: { id: credentialId, publicKey: key, counter, transports },
  }).catch(() => undefined);
  if (verified?.verified !== true) return undefined;
  const { newCounter, userVerified } = verified.authenticationInfo;
  return { counter: newCounter, userVerified };
}
