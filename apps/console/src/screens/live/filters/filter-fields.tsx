import { limits } from "@asset-register/proto/limits";
import { Group, NumberInput, Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { RowList } from "../row-list.tsx";
import { actions, emptyFilter, type FilterValues } from "./filter-values.ts";

type Props = {
  hint: string;
  maxRows: number;
  filters: readonly FilterValues[];
  onChange: (filters: FilterValues[]) => void;
  /** The value, the error and the handler of a field of the form. */
  inputProps: (path: string) => object;
};

/** Which reads count, by the beginning of their EPC. */
export function FilterFields({ hint, maxRows, filters, onChange, inputProps }: Props) {
  const { t } = useTranslation();
  return (
    <RowList
      legend={t("filters.title")}
      hint={`${hint} ${t("filters.hint")}`}
      add={t("filters.add")}
      rows={filters}
      maxRows={maxRows}
      nameOf={({ prefix }) => t("filters.one", { prefix })}
      empty={emptyFilter}
      onChange={onChange}
      isOrdered
    >
      {(index) => (
        <Group gap="xs" align="flex-start">
          <Select
            label={t("filters.action")}
            w={120}
            data={actions.map((value) => ({ value, label: t(`filters.${value}`) }))}
            allowDeselect={false}
            {...inputProps(`filters.${index}.action`)}
          />
          <TextInput
            label={t("filters.prefix")}
            flex="1 1 110px"
            placeholder="3034"
            required
            pattern="[0-9A-Fa-f]+"
            title={t("filters.prefixTitle")}
            maxLength={limits.epcDigits}
            {...inputProps(`filters.${index}.prefix`)}
          />
          <NumberInput
            label={t("filters.bits")}
            w={110}
            placeholder={t("filters.allBits")}
            min={1}
            max={4 * limits.epcDigits}
            allowDecimal={false}
            {...inputProps(`filters.${index}.bits`)}
          />
        </Group>
      )}
    </RowList>
  );
}
