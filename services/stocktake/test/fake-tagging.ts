import { TagDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { serving } from "@asset-register/service-harness";

/** A fake of tagging-ingest: which asset each text means. A text that no test has named is a tag of its own. */
export function fakeTagging() {
  const tags = new Map<string, { canonical: string; assetId?: string | undefined }>();
  let beforeResolve = async (_workspaceId: string, _texts: string[]): Promise<void> => undefined;
  return {
    implementations: [
      serving(TagDirectoryService, {
        async resolveTags({ workspaceId, items }) {
          const texts = items.map(({ identifier }) => identifier.value ?? "");
          await beforeResolve(workspaceId, texts);
          return {
            results: texts.map((text) => tags.get(`${workspaceId}:${text}`) ?? { canonical: `code:${text}` }),
          };
        },
      }),
    ],
    /** Says what some texts mean: one tag, of an asset or of none. */
    setTag(workspaceId: string, texts: readonly string[], assetId?: string): void {
      const canonical = `epc:${texts[0]}`;
      for (const text of texts) tags.set(`${workspaceId}:${text}`, { canonical, assetId });
    },
    /** Calls a function before each call is answered. */
    onResolve(run: typeof beforeResolve): void {
      beforeResolve = run;
    },
  };
}
