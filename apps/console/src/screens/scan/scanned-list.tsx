import { Button, Card, Stack, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

type Props = { codes: readonly string[]; onChoose: (code: string) => void };

/** The codes scanned before, the latest first. */
export function ScannedList({ codes, onChoose }: Props) {
  const { t } = useTranslation();
  const distinct = [...new Set(codes)];
  if (distinct.length === 0) return null;
  return (
    <Card withBorder mt="md">
      <Title order={2} size="h5" mb="xs">
        {t("scan.before")}
      </Title>
      <Stack gap={4} align="flex-start">
        {distinct.map((code) => (
          <Button key={code} variant="subtle" size="compact-sm" maw="100%" onClick={() => onChoose(code)}>
            {code}
          </Button>
        ))}
      </Stack>
    </Card>
  );
}
