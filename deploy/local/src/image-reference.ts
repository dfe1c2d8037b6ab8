/** An image at a registry. Its digest is missing until it has been pinned. */
export type ImageReference = {
  registry: string;
  repository: string;
  tag: string;
  digest: string | undefined;
};

/** The registry's name host[:port] has a dot or a port; "apache" of "apache/kafka" is a folder of Docker Hub. */
const REFERENCE =
  /^(?:([^/@]+[.:][^/@]*)\/)?([a-z0-9._/-]+):([A-Za-z0-9][A-Za-z0-9._-]*)(?:@(sha256:[0-9a-f]{64}))?$/;

/** @throws Error if the reference has no tag, or its digest is no SHA-256 */
export function parseImage(reference: string): ImageReference {
  const [, host, name, tag, digest] = REFERENCE.exec(reference) ?? [];
  if (name === undefined || tag === undefined)
    throw new Error(
      `"${reference}" is not an image with a tag, and optionally a digest sha256:<64 hex digits>.`,
    );
  if (host !== undefined) return { registry: host, repository: name, tag, digest };
  const repository = name.includes("/") ? name : `library/${name}`;
  return { registry: "registry-1.docker.io", repository, tag, digest };
}

/** The same image and tag with this digest. Engines then pull by the digest; the tag is for people. */
export function withDigest(reference: string, digest: string): string {
  const pinned = `${reference.replace(/@.*$/, "")}@${digest}`;
  parseImage(pinned);
  return pinned;
}

/**
 * The address that gives a token for what a registry has refused.
 *
 * @param challenge header WWW-Authenticate of the refusal (RFC 6750)
 */
export function tokenUrl(challenge: string): URL {
  const fields = new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
  const realm = fields.get("realm");
  if (!/^Bearer /i.test(challenge) || realm === undefined || !URL.canParse(realm))
    throw new Error(`The registry asks for something other than a token: ${challenge}`);
  const url = new URL(realm);
  for (const name of ["service", "scope"]) {
    const value = fields.get(name);
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}
