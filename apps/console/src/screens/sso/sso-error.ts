const errors = [
  "SSO_EXPIRED",
  "SSO_REFUSED",
  "SSO_FAILED",
  "SSO_UNAVAILABLE",
  "SSO_NO_ACCOUNT",
  "SSO_ACCOUNT_ELSEWHERE",
] as const;

/** Why a sign-in with a provider has ended without a session. */
export type SsoError = (typeof errors)[number];

export const isSsoError = (text: string): text is SsoError => errors.some((one) => one === text);
