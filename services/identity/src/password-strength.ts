import { limits } from "@asset-register/proto/limits";
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** From 0, guessed at once, to 4. */
export type PasswordStrength = (password: string, personal: readonly string[]) => Promise<number>;

/**
 * Estimates how many guesses a password takes, by zxcvbn: common passwords, English words and names, keyboard rows, dates
 * and the `personal` words of its owner. The dictionaries are loaded for the first password.
 */
export function createPasswordStrength(): PasswordStrength {
  let loaded: Promise<ZxcvbnFactory> | undefined;
  return async (password, personal) => {
    loaded ??= load();
    const judged = Array.from(password).slice(0, limits.passwordJudged).join("");
    return (await loaded).check(judged, [...personal]).score;
  };
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
    // A judged text has up to two UTF-16 units for each character.
    maxLength: 2 * limits.passwordJudged,
  });
}
