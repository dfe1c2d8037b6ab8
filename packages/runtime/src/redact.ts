/**
 * Names of fields that contain a secret, in any notation: password, api_key, accessToken, token_hash ... `args` are
 * the arguments of a command, which ioredis adds to its errors. For AUTH they contain the password.
 */
const SECRET =
  /(^args|authorization|cookie|password|passphrase|secret|token|signature|pepper|keyring|pem|(^|[a-z_-])key)s?([_-]?hash)?$/i;

const MAX_DEPTH = 6;

/**
 * Replaces fields with the name of a secret by "[redacted]", to a depth of 6. Returns a copy, or the same object
 * if it has no such field, so that the usual line costs only the search.
 */
export function redact(value: Record<string, unknown>): Record<string, unknown> {
  return redactObject(value, 0);
}

function redactObject(value: Record<string, unknown>, depth: number): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    const safe =
      SECRET.test(name) && inner !== undefined && inner !== null
        ? "[redacted]"
        : redactValue(inner, depth + 1);
    if (safe === inner) continue;
    copy ??= { ...value };
    copy[name] = safe;
  }
  return copy ?? value;
}

function redactValue(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const safe = value.map((item: unknown) => redactValue(item, depth + 1));
    return safe.some((item, index) => item !== value[index]) ? safe : value;
  }
  return isPlain(value) ? redactObject(value, depth) : value;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
