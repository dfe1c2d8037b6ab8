import { Box, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";

type PageProps = { title: string; subtitle?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A screen: its title, which the browser's tab shows too, its actions and its content. */
export function Page({ title, subtitle, actions, children }: PageProps) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [title, t]);
  return (
    <Box maw={1320} mx="auto">
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <Box style={{ minWidth: 0, flex: "1 1 260px" }}>
          <Title order={1} className="wrap" lineClamp={3}>
            {title}
          </Title>
          {subtitle && (
            <Text c="dimmed" size="sm" component="div" className="wrap">
              {subtitle}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
