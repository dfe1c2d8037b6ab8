import { Select } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { AssetSelect } from "../../parts/asset-select.tsx";
import { CategorySelect, PlaceSelect, RecordSelect } from "../../parts/record-select.tsx";
import { useZones } from "../../parts/zones.ts";
import { type RuleValues, type Scope, scopes } from "./rule-values.ts";

type Asset = { id: string; name: string };

type Props = {
  form: UseFormReturnType<RuleValues>;
  asset: Asset | null;
  onAsset: (asset: Asset | null) => void;
};

/** The scope of a rule: everything, or one place, zone, category or asset. */
export function ScopeFields({ form, asset, onAsset }: Props) {
  const { t } = useTranslation();
  const { type, scope_type } = form.values;
  const zones = useZones();
  // A program may have made a rule with another scope.
  const offered = [...new Set([...scopes[type], scope_type])];
  const props = { label: t("rules.scopeRecord"), required: true, ...form.getInputProps("scope_id") };
  return (
    <>
      <Select
        label={t("rules.scope")}
        data={offered.map((value) => ({ value, label: t(`ruleScope.${value}`) }))}
        allowDeselect={false}
        value={scope_type}
        onChange={(next) => next && form.setValues({ scope_type: next as Scope, scope_id: null })}
        error={form.errors.scope_type}
      />
      {scope_type === "zone" && <RecordSelect choices={zones} {...props} />}
      {scope_type === "location" && <PlaceSelect {...props} />}
      {scope_type === "category" && <CategorySelect {...props} />}
      {scope_type === "asset" && (
        <AssetSelect
          label={props.label}
          required
          error={form.errors.scope_id}
          value={asset}
          onChange={(next) => {
            onAsset(next);
            form.setFieldValue("scope_id", next?.id ?? null);
          }}
        />
      )}
    </>
  );
}
