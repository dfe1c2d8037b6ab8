import { limits } from "@asset-register/proto/limits";
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

let loading: Promise<ZxcvbnFactory> | undefined;

/** The dictionaries are 1 MB, so they are loaded by the first field for a new password. */
export function loadStrength(): Promise<ZxcvbnFactory> {
  loading ??= load();
  // The next field tries again.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** As identity judges it, which also knows the names of the owner: 0 to 4, and enough from `limits.passwordStrength`. */
export async function strengthOf(password: string, personal: readonly string[]): Promise<number> {
  const judged = Array.from(password).slice(0, limits.passwordJudged).join("");
  return (await loadStrength()).check(judged, [...personal]).score;
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  return new Factory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: limits.passwordSpellings,
    maxLength: 2 * limits.passwordJudged,
  });
}
