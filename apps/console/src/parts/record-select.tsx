import { Select, type SelectProps, Stack, Text } from "@mantine/core";
import { useIsFetching } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Choice, useChoicesWith, usePlaces } from "./records.ts";

type Props = Omit<SelectProps, "data" | "renderOption">;

/** Chooses one of many records by typing a part of its name. */
export function RecordSelect({ choices, ...props }: Props & { choices: Choice[] }) {
  const { t } = useTranslation();
  const paths = new Map(choices.map(({ id, path }) => [id, path]));
  return (
    <Select
      searchable
      clearable
      limit={100}
      nothingFoundMessage={t("nav.nothingFound")}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      renderOption={({ option }) => (
        <Stack gap={0} miw={0}>
          <Text size="sm" className="cut">
            {option.label}
          </Text>
          {paths.get(option.value) && (
            <Text size="xs" c="dimmed" className="cut">
              {paths.get(option.value)}
            </Text>
          )}
        </Stack>
      )}
      {...props}
    />
  );
}

/** Whether the records are asked for: when the select is first used, or has a value to name. */
function useWanted(value: unknown): { isWanted: boolean; onDropdownOpen: () => void } {
  const [used, setUsed] = useState(false);
  return { isWanted: used || Boolean(value), onDropdownOpen: () => setUsed(true) };
}

export function PlaceSelect(props: Props) {
  const { t } = useTranslation();
  const { isWanted, onDropdownOpen } = useWanted(props.value);
  const isLoading = useIsFetching({ queryKey: ["get", "/locations/tree"] }) > 0;
  return (
    <RecordSelect
      choices={usePlaces(isWanted)}
      nothingFoundMessage={t(isLoading ? "state.loading" : "nav.nothingFound")}
      {...props}
      onDropdownOpen={onDropdownOpen}
    />
  );
}

type ListedProps = Props & { path: "/custodians" | "/categories" | "/departments" | "/users" };

function ListedSelect({ path, ...props }: ListedProps) {
  const { t } = useTranslation();
  const { isWanted, onDropdownOpen } = useWanted(props.value);
  const { choices, isCut } = useChoicesWith(path, props.value, isWanted);
  const isLoading = useIsFetching({ queryKey: ["get", path] }) > 0;
  const nothing = isCut ? "nav.nothingFoundListed" : "nav.nothingFound";
  return (
    <RecordSelect
      choices={choices}
      nothingFoundMessage={t(isLoading ? "state.loading" : nothing)}
      {...props}
      onDropdownOpen={onDropdownOpen}
    />
  );
}

export const CustodianSelect = (props: Props) => <ListedSelect path="/custodians" {...props} />;
export const CategorySelect = (props: Props) => <ListedSelect path="/categories" {...props} />;
export const DepartmentSelect = (props: Props) => <ListedSelect path="/departments" {...props} />;
/** Only admins may list users. */
export const UserSelect = (props: Props) => <ListedSelect path="/users" {...props} />;
