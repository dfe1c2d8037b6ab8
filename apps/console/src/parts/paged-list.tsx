import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/problem.ts";
import { MoreButton } from "./more-button.tsx";
import { Empty, Failed, Loading } from "./states.tsx";

type Found<T> = {
  rows: readonly T[];
  error: unknown;
  isPending: boolean;
  isError: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
  refetch: () => Promise<unknown>;
};

type Props<T> = { found: Found<T>; empty: string; children: (row: T) => ReactNode };

/** The rows of a list, with its states and the button for the next page. */
export function PagedList<T>({ found, empty, children }: Props<T>) {
  const { t } = useTranslation();
  if (found.isPending) return <Loading />;
  // An admin may do everything that the plan includes.
  if (found.error instanceof ApiError && found.error.code === "PLAN_REQUIRED")
    return <Empty title={t("settings.planTitle")} text={t("settings.plan")} />;
  if (found.isError && found.rows.length === 0)
    return <Failed error={found.error} retry={() => void found.refetch()} />;
  return (
    <Stack gap="sm">
      {found.rows.length === 0 && <Text c="dimmed">{empty}</Text>}
      {found.rows.map((row) => children(row))}
      <MoreButton found={found} />
    </Stack>
  );
}
