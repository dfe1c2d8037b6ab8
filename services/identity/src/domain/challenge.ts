import type { DeviceDescription } from "./session.ts";

type OfSession = { userId: string; rev: number; sessionId: string };

/** The purpose of a challenge, and the user to whom it is bound. */
export type ChallengeContent =
  | ({
      purpose: "second_factor";
      workspaceId: string;
      userId: string;
      rev: number;
      deviceUuid: string;
      /** The code of the sign-in with a provider that came first. Absent after a password. */
      ssoCodeId?: string | undefined;
    } & DeviceDescription)
  | { purpose: "passkey_login" }
  | ({ purpose: "registration" } & OfSession)
  | ({ purpose: "reauthentication" } & OfSession);

export type Purpose = ChallengeContent["purpose"];
/** `text` is its sealed form, which WebAuthn signs as its challenge. */
export type Challenge<P extends Purpose = Purpose> = Extract<ChallengeContent, { purpose: P }> & {
  id: string;
  endsAt: number;
  text: string;
};

export const CHALLENGE_MS = 5 * 60_000;
/** Tries at one challenge. */
export const CHALLENGE_TRIES = 5;
