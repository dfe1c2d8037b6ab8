import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

type Found = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };

/** Reads the next page of a list, if there is one. */
export function MoreButton({ found }: { found: Found }) {
  const { t } = useTranslation();
  if (!found.hasNextPage) return null;
  return (
    <Group justify="center" p="md">
      <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
        {t("assets.more")}
      </Button>
    </Group>
  );
}
