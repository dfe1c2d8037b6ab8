import { templates } from "@asset-register/proto/label-templates";
import { limits } from "@asset-register/proto/limits";
import type { Asset } from "../assets/asset.ts";
import { layoutLabel } from "./label-layout.ts";
import type { Label, LabelCode, LabelField, LabelOptions, LabelSymbol, SkipCode } from "./label-sheet.ts";
import { dotOf } from "./label-zpl.ts";
import { makeSymbol } from "./symbol.ts";

/** The answer of tagging-ingest about the code of an asset. */
export type EnsuredCode = { code?: string | undefined; refusal?: string | undefined };

/** An asset, and whether its status lets it take tags. Undefined if it does not exist. */
export type LabelledAsset = { asset: Asset; takesTags: boolean } | undefined;

/** Whether an asset gets a tag if it has none. */
export const mayTakeTag = (found: LabelledAsset): boolean =>
  found !== undefined && isShown(found.asset) && found.takesTags;

const isShown = ({ deletedAt, disposed }: Asset): boolean =>
  deletedAt === undefined && disposed === undefined;

export type Judgement = { label: Label } | { skipped: SkipCode };

/** The label of an asset, or why it has none. */
export function judgeLabel(
  found: LabelledAsset,
  { code, refusal }: EnsuredCode,
  options: LabelOptions & { bindMissing: boolean },
  { publicUrl, workspaceName }: { publicUrl: string; workspaceName: string | undefined },
): Judgement {
  if (found === undefined || found.asset.deletedAt !== undefined) return { skipped: "NOT_FOUND" };
  if (found.asset.disposed !== undefined) return { skipped: "ASSET_DISPOSED" };
  if (code === undefined) {
    const takesNone = refusal !== undefined || (options.bindMissing && !found.takesTags);
    return { skipped: takesNone ? "ASSET_TAKES_NO_TAG" : "TAG_MISSING" };
  }
  const symbol = symbolOf(code, options, publicUrl);
  if (symbol === undefined) return { skipped: "CODE_DOES_NOT_FIT" };
  const { number, name } = found.asset;
  const values: Record<LabelField, string | undefined> = { number, name, workspace_name: workspaceName };
  const lines = [...options.content.map((field) => values[field]), options.text].flatMap((one) => one ?? []);
  return { label: { symbol, lines, caption: options.code === "code128" ? code : undefined } };
}

/** The printed code. Undefined if it does not fit on the label, or the gateway would not accept its address. */
export function symbolOf(
  code: string,
  { template, code: kind, format, dpi }: Pick<LabelOptions, "template" | "code" | "format" | "dpi">,
  publicUrl: string,
): LabelSymbol | undefined {
  const text = printedText(kind, code, publicUrl);
  const symbol = text.length > limits.tagCode ? undefined : makeSymbol(kind, text);
  if (symbol === undefined) return undefined;
  const dot = format === "zpl" ? dotOf(dpi) : undefined;
  return layoutLabel(templates[template].label, kind, symbol, dot) && symbol;
}

/** A QR or Data Matrix code has the address of the label. For a Code 128 it would be too wide. */
const printedText = (kind: LabelCode, code: string, publicUrl: string): string =>
  kind === "code128" ? code : `${publicUrl}/t/${encodeURIComponent(code)}`;

/** A code of the platform without digits that follow each other, which Code 128 would shorten. */
const SAMPLE = "A0B1C2D3E4F5";

/** Whether the codes that the platform makes fit on the labels of a template. */
export const fitsCodes = (
  options: Pick<LabelOptions, "template" | "code" | "format" | "dpi">,
  publicUrl: string,
): boolean => symbolOf(SAMPLE, options, publicUrl) !== undefined;
