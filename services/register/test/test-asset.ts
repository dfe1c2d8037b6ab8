import { type Asset, newAsset } from "../src/domain/assets/asset.ts";

export const by = { kind: "user", id: "usr_1" } as const;
export const at = new Date("2026-03-01T12:00:00Z");

export const testAsset = (fields: Partial<Asset> = {}): Asset => ({
  ...newAsset(
    { name: "Drill" },
    { id: "ast_1", workspaceId: "wsp_1", number: "AST-1", statusId: "sta_1", currency: "EUR" },
    at,
    by,
  ),
  ...fields,
});

/** The code of the error that a call throws. Undefined if it throws none. */
export function thrownCode(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}
