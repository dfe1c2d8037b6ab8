/** The part of a receiver's URL that may be stored in the audit log. The rest of it is often a secret. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
