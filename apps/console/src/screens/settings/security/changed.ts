/** The paths whose answers a change of second factors changes. */
export const CHANGED = ["/me/mfa", "/me/passkeys", "/devices", "/audit-log"] as const;
