/** The types of custom fields. */
export type CustomFieldType =
  | "text"
  | "textarea"
  | "number"
  | "boolean"
  | "date"
  | "datetime"
  | "select"
  | "multiselect"
  | "url"
  | "email";

/** A choice of a select or multiselect field. */
export type CustomFieldOption = { value: string; label: string; active: boolean };

/** The properties of a custom field that a caller may change. */
export type CustomFieldDefinition = {
  label: string;
  type: CustomFieldType;
  required: boolean;
  unique: boolean;
  options: CustomFieldOption[];
  /** The least value: of a number, of a date or instant as text, of the length of a text. */
  min?: number | string | undefined;
  max?: number | string | undefined;
  pattern?: string | undefined;
  /** Empty means all categories. */
  categoryIds: string[];
  position: number;
};

export type CustomField = CustomFieldDefinition & {
  id: string;
  workspaceId: string;
  key: string;
  /** `clearing` removes rows of unique values that are no longer needed. Callers see it as active. */
  status: "active" | "indexing" | "clearing";
  progress: { done: number; total: number };
  error?: { code: string; message: string } | undefined;
  /** Whether an asset has had a value. */
  used: boolean;
  /** Counts how often the field became unique. Rows of unique values of an earlier time have no effect. */
  generation: number;
  rev: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt?: Date | undefined;
};

/** The value of a custom field. Dates and instants are texts: YYYY-MM-DD, and RFC 3339 in UTC. */
export type CustomFieldValue = string | number | boolean | string[];

/** Values of custom fields by key. */
export type CustomFieldValues = Record<string, CustomFieldValue>;

/** A new field that no asset uses. */
export function newCustomField(
  definition: CustomFieldDefinition,
  given: Pick<CustomField, "id" | "workspaceId" | "key">,
  at: Date,
): CustomField {
  return {
    ...definition,
    ...given,
    status: "active",
    progress: { done: 0, total: 0 },
    used: false,
    generation: definition.unique ? 1 : 0,
    rev: 1,
    createdAt: at,
    updatedAt: at,
  };
}

/** Whether a field applies to an asset: `categories` are the asset's category and those above it. */
export function isInScope(
  { categoryIds }: Pick<CustomField, "categoryIds">,
  categories: ReadonlySet<string>,
): boolean {
  return categoryIds.length === 0 || categoryIds.some((id) => categories.has(id));
}
