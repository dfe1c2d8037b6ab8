/** The nonce of this page's Content-Security-Policy, for the style elements that libraries insert. */
export const nonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce || undefined;
