import { TagDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { newCheckedCode } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";

/** A fake of tagging-ingest that knows the codes of assets. */
export function fakeTagging() {
  const codes = new Map<string, string>();
  const refused = new Set<string>();
  const bound: string[] = [];
  let before = async (_call: number): Promise<void> => undefined;
  let calls = 0;
  const tagging = serving(TagDirectoryService, {
    async ensureCodes({ assetIds, bindMissing }) {
      calls += 1;
      await before(calls);
      return {
        results: assetIds.map((id) => {
          if (refused.has(id)) return { refusal: "ASSET_TAKES_NO_TAG" };
          if (bindMissing && !codes.has(id)) {
            codes.set(id, newCheckedCode(12));
            bound.push(id);
          }
          const code = codes.get(id);
          return code === undefined ? {} : { code };
        }),
      };
    },
  });
  return {
    tagging,
    labelCodes: {
      /** By asset. */
      codes,
      /** Assets that take no tag, as tagging-ingest knows. */
      refused,
      /** The assets that got a tag, in order. */
      bound,
      /** Runs `wait` before each answer to register, with the number of the call from now on. */
      hold(wait: (call: number) => Promise<void>): void {
        calls = 0;
        before = wait;
      },
    },
  };
}
