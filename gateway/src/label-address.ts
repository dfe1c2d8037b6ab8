import { limits } from "@asset-register/proto/limits";
import { isCheckedCode } from "@asset-register/runtime";

/** Finds the code in a text that a scanner read: in the address of a label, or the text itself. */
export type CodeOf = (text: string) => string;

/**
 * A label has the address `{PUBLIC_URL}/t/{code}`, and scanners report it. It stands for its code if its origin is that
 * of PUBLIC_URL, or if the code has a valid check character: labels outlive a domain.
 */
export function createCodeOf(publicUrl: string): CodeOf {
  const own = new URL(publicUrl);
  const ownPath = `${own.pathname.replace(/\/$/, "")}/t/`;
  return (text) => {
    const url = /^https?:\/\//i.test(text.trim()) ? URL.parse(text.trim()) : null;
    if (url === null || url.search !== "" || url.hash !== "") return text;
    const [, folder, segment] = /^(.*\/t\/)([^/]+)$/.exec(url.pathname) ?? [];
    const code = segment === undefined ? undefined : decoded(segment);
    if (code === undefined) return text;
    const isOwn = url.origin === own.origin && folder === ownPath;
    return isOwn || isCheckedCode(code, limits.madeCode) ? code : text;
  };
}

/** Undefined for a segment that is not percent-encoded UTF-8. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
