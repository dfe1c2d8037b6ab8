import type { Keyring, Sealed, SealedPlace } from "@asset-register/runtime";

/** The record that a refresh token of a provider is in: first a code, then a session. */
export type TokenOf = { collection: "sso_codes" | "sso_sessions"; id: string };

const placeOf = ({ collection, id }: TokenOf): SealedPlace => ({
  service: "identity",
  ...{ collection, recordId: id },
});

export const sealProviderToken = (keyring: Keyring, of: TokenOf, token: string): Sealed =>
  keyring.encrypt(token, placeOf(of));

export const openProviderToken = (keyring: Keyring, of: TokenOf, sealed: Sealed): string =>
  keyring.decrypt(sealed, placeOf(of)).toString();
