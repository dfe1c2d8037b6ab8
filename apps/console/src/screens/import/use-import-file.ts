import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/problem.ts";
import { useTenant } from "../../parts/workspace.ts";
import type { CellFormat } from "./cell-format.ts";
import { type CsvFile, createCsvFile } from "./csv-file.ts";
import type { OpenedFile } from "./csv-messages.ts";
import type { Column } from "./csv-table.ts";
import type { Encoding } from "./csv-text.ts";
import { type AssetField, guessFields, type Target, targetsOf } from "./import-fields.ts";
import { MAX_BYTES } from "./import-limits.ts";
import { rememberedFields, rememberFields } from "./remembered-fields.ts";
import { type ImportPlan, type ImportRules, type NamedColumn, startImport } from "./start-import.ts";

const labels = {
  name: "assets.name",
  number: "assets.number",
  category_id: "assets.category",
  location_id: "assets.location",
  custodian_id: "assets.custodian",
  department_id: "assets.department",
  property_id: "importing.fields.property_id",
  building_id: "importing.fields.building_id",
  floor_id: "importing.fields.floor_id",
  depreciation_method: "importing.fields.depreciation_method",
  serial_number: "asset.serial_number",
  description: "asset.description",
  manufacturer: "asset.manufacturer",
  model: "asset.model",
  cost: "asset.cost",
  in_service_date: "asset.in_service_date",
  useful_life_months: "asset.useful_life_months",
  salvage_value: "asset.salvage_value",
  supplier: "asset.supplier",
  purchase_order: "asset.purchase_order",
  invoice_number: "asset.invoice_number",
} as const satisfies Record<AssetField, string>;

/**
 * The source of an import, and the Idempotency-Key of the run that follows a check: one check is imported once,
 * also after a lost answer or a step back.
 */
type Started = ImportPlan & { runKey: string };

export type OpenFile = Extract<OpenedFile, { problem?: undefined }>;
export type FileProblem = NonNullable<OpenedFile["problem"]> | "size" | "type";

/** The person's choice for a column. */
export type Choice = { field: string | null; format: CellFormat | undefined };

/** The file of the person, and what was said about it. It is in memory only, so a reload forgets it. */
export function useImportFile() {
  const { t } = useTranslation();
  const customFields = useTenant()?.custom_fields;
  const targets = useMemo(
    () => targetsOf(customFields ?? [], (field) => t(labels[field])),
    [customFields, t],
  );
  const csv = useRef<CsvFile>(undefined);
  const [file, setFile] = useState<File>();
  const [opened, setOpened] = useState<OpenFile>();
  const [problem, setProblem] = useState<FileProblem>();
  const [reading, setReading] = useState(false);
  const [choices, setChoices] = useState<Choice[]>([]);
  const [rules, setRules] = useState<ImportRules>({
    ...{ onExisting: "skip", references: "name", allowUnnumbered: true },
  });
  /** The imports of this file, by their ids. */
  const [started, setStarted] = useState<ReadonlyMap<string, Started>>(new Map());

  useEffect(
    () => () => {
      csv.current?.close();
      csv.current = undefined;
    },
    [],
  );

  /** Forgets the file, and ends the worker that holds its rows. */
  const close = (): void => {
    csv.current?.close();
    csv.current = undefined;
    setOpened(undefined);
    setStarted(new Map());
  };

  const open = async (chosen: File, encoding?: Encoding, delimiter?: string): Promise<void> => {
    if (chosen.size > MAX_BYTES) return setProblem("size");
    setReading(true);
    setProblem(undefined);
    try {
      csv.current ??= createCsvFile();
      const answer = await csv.current.open(chosen, encoding, delimiter);
      setProblem(answer.problem);
      setOpened(answer.problem === undefined ? answer : undefined);
      setFile(chosen);
      setStarted(new Map());
      if (answer.problem !== undefined) return;
      const names = answer.columns.map(({ name }) => name);
      const fields = guessFields(names, targets, rememberedFields());
      setChoices(fields.map((field, index) => choiceOf(answer.columns[index], field, targets)));
    } catch {
      close();
      setProblem("unreadable");
    } finally {
      setReading(false);
    }
  };

  // A file may have 300 columns: only those that change are drawn again.
  const columns = opened?.columns;
  /** A field has one column: another one that had it has none. */
  const chooseField = useCallback(
    (index: number, field: string | null): void =>
      setChoices((before) =>
        before.map((one, at) => {
          if (at === index) return choiceOf(columns?.[index], field, targets);
          return field !== null && one.field === field ? { field: null, format: undefined } : one;
        }),
      ),
    [columns, targets],
  );
  const chooseFormat = useCallback(
    (index: number, format: CellFormat): void =>
      setChoices((before) => before.map((one, at) => (at === index ? { ...one, format } : one))),
    [],
  );

  const mapped = choices.flatMap(({ field, format }, index): NamedColumn[] => {
    const target = targets.find((one) => one.field === field);
    const name = opened?.columns[index]?.name;
    return target === undefined || name === undefined
      ? []
      : [{ index, name, field: target.field, kind: target.kind, format }];
  });

  const start = async (plan: ImportPlan, dryRun: boolean, key: string): Promise<string> => {
    if (csv.current === undefined) throw new Error("No file is open");
    const { id } = await startImport(csv.current, plan, { dryRun, key });
    setStarted((before) => new Map(before).set(id, { ...plan, runKey: crypto.randomUUID() }));
    rememberFields(
      Object.fromEntries(choices.map(({ field }, index) => [opened?.columns[index]?.name ?? "", field])),
    );
    return id;
  };
  const check = (): Promise<string> => start({ columns: mapped, rules }, true, crypto.randomUUID());
  /** Imports what a check has checked, whatever was changed after it. */
  const run = async (checkId: string): Promise<string> => {
    const checked = started.get(checkId);
    if (checked === undefined) throw new Error("The check is of another file");
    try {
      return await start(checked, false, checked.runKey);
    } catch (error) {
      // A refusal is the answer of its key for good. After a lost answer, the same key finds the import.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500)
        setStarted((before) => new Map(before).set(checkId, { ...checked, runKey: crypto.randomUUID() }));
      throw error;
    }
  };
  return {
    ...{ csv, file, opened, problem, reading, targets, choices, mapped, rules, started },
    ...{ open, close, chooseField, chooseFormat, setRules, setProblem, check, run },
  };
}

export type ImportFile = ReturnType<typeof useImportFile>;

/** A format that is certain is chosen; else the person is asked. */
function choiceOf(column: Column | undefined, field: string | null, targets: readonly Target[]): Choice {
  const kind = targets.find((one) => one.field === field)?.kind;
  const formats = kind === "decimal" || kind === "date" ? (column?.formats[kind] ?? []) : [];
  return { field, format: formats.length === 1 ? formats[0] : undefined };
}
