import type { LabelTemplate } from "@asset-register/proto/label-templates";
import type { Actor } from "@asset-register/rpc";

export type LabelFormat = "pdf" | "zpl";
export type LabelCode = "qr" | "datamatrix" | "code128";
export type LabelField = "number" | "name" | "workspace_name";
export type LabelSheetStatus = "making" | "ready" | "failed";

/** How labels look. */
export type LabelOptions = {
  format: LabelFormat;
  template: LabelTemplate;
  code: LabelCode;
  /** The label of a sheet that is printed first, from 1: the ones before are used. */
  startAt: number;
  /** The fields of the asset beside the code, in this order. */
  content: LabelField[];
  /** A line that is equal on all labels. */
  text?: string | undefined;
  /** Dots per inch of the printer of ZPL. */
  dpi: Dpi;
};

export type Dpi = 203 | 300;

/** A code as modules: the squares of a QR or Data Matrix code, or the bars of a Code 128, which is one row. */
export type LabelSymbol = {
  columns: number;
  rows: number;
  /** Row by row, a bit each, the first one in the highest bit: 1 is dark. As base64. */
  modules: string;
};

/** A label with everything that is printed on it. */
export type Label = {
  symbol: LabelSymbol;
  /** The first one is bold. Each is cut where it does not fit. */
  lines: string[];
  /** The code as people read it. */
  caption?: string | undefined;
};

/** An asset without a label, and why. */
export type SkippedAsset = { assetId: string; code: SkipCode };

export type SkipCode =
  | "NOT_FOUND"
  | "ASSET_DISPOSED"
  | "ASSET_TAKES_NO_TAG"
  | "TAG_MISSING"
  | "CODE_DOES_NOT_FIT";

/** Labels of assets as a file. */
export type LabelSheet = LabelOptions & {
  id: string;
  workspaceId: string;
  status: LabelSheetStatus;
  progress: { done: number; total: number };
  /** In the order of the labels. */
  assetIds: string[];
  /** Assets without a tag get one. */
  bindMissing: boolean;
  /** Labels that were made. */
  labels: number;
  skipped: SkippedAsset[];
  /** Absent until it is ready. */
  fileId?: string | undefined;
  createdAt: Date;
  createdBy: Actor;
  requestId: string;
  /** When the sheet is removed. */
  expiresAt: Date;
};

/** A label of a sheet until the file is made. */
export type LabelRow = Label & {
  /** The id of the sheet and the position: the order of labels. */
  id: string;
  workspaceId: string;
  sheetId: string;
  expiresAt: Date;
};

const KEPT_MS = 86_400_000;
const POSITION_DIGITS = 5;

/** When a sheet is removed. */
export const expiryOf = (createdAt: Date): Date => new Date(createdAt.getTime() + KEPT_MS);

/** The id of a label. Its order is that of the sheet. */
export const labelRowId = (sheetId: string, position: number): string =>
  `${sheetId}:${String(position).padStart(POSITION_DIGITS, "0")}`;
