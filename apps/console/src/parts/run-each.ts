import { t } from "i18next";
import { reasonOf } from "./notify.tsx";

const AT_ONCE = 4;
const SHOWN = 5;

type Named = { id: string; name: string };

/**
 * Runs a function for each item, a few at once, and reports each one that is done.
 * @throws Error that has a line for each of the first items that failed
 */
export async function runEach<T extends Named>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  onDone: (id: string) => void,
): Promise<void> {
  const waiting = [...items];
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await act(item);
        onDone(item.id);
      } catch (error) {
        failures.push(`${item.name}: ${reasonOf(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const more = failures.length - SHOWN;
  const lines = [
    ...failures.slice(0, SHOWN),
    ...(more > 0 ? [t("state.moreFailures", { count: more })] : []),
  ];
  if (lines.length > 0) throw new Error(lines.join("\n"));
}
