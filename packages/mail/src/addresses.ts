import { domainToASCII } from "node:url";

type Parsed = { ok: true; address: string } | { ok: false; reason: string };

/** RFC 5321: octets of an address, and of the part before the @. */
const MAX_LENGTH = 254;
const MAX_LOCAL = 64;

// RFC 5322, dot-atom: no quotes, comments, spaces or control characters.
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Parses one address. A domain with other than ASCII letters becomes punycode. Before the @ only ASCII is allowed,
 * because many servers take nothing else.
 */
export function parseAddress(text: string): Parsed {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  const [local, host] = [trimmed.slice(0, at), trimmed.slice(at + 1)];
  if (at < 1 || local.length > MAX_LOCAL || !LOCAL.test(local)) {
    return { ok: false, reason: "must be an email address with ASCII letters before the @" };
  }
  // domainToASCII would accept white space, ports and IP addresses in disguise.
  const domain = /[\s\p{C}:/?#[\]@%\\]/u.test(host) ? "" : domainToASCII(host).toLowerCase();
  const labels = domain.split(".");
  const last = labels.at(-1) ?? "";
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label)) || /^\d+$/.test(last)) {
    return { ok: false, reason: "must be an email address with the name of a domain after the @" };
  }
  const address = `${local}@${domain}`;
  if (address.length > MAX_LENGTH) {
    return { ok: false, reason: `must have at most ${MAX_LENGTH} characters in each address` };
  }
  return { ok: true, address };
}

/** Parses a list of addresses that are separated by commas. Repeated ones are left out. */
export function parseAddresses(
  text: string,
  max: number,
): { ok: true; addresses: string[] } | { ok: false; reason: string } {
  // White space around an address is removed, but a line end never belongs into a header.
  if (/[\r\n]/.test(text)) return { ok: false, reason: "must have no line ends" };
  const parsed = text.split(",").map(parseAddress);
  const wrong = parsed.find((one) => !one.ok);
  if (wrong && !wrong.ok) return wrong;
  const addresses = [...new Set(parsed.flatMap((one) => (one.ok ? one.address : [])))];
  if (addresses.length > max) return { ok: false, reason: `must have at most ${max} addresses` };
  return { ok: true, addresses };
}
