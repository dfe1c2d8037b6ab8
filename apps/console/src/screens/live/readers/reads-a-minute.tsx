import { Sparkline } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { Box, Text, VisuallyHidden } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../parts/workspace.ts";
import { useActivity } from "./use-activity.ts";

/** The reads of the last hour, as a small chart. It is read only while it is in view, since each reader is a request. */
export function ReadsAMinute({ id }: { id: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ref, inViewport } = useInViewport();
  const { data } = useActivity(id, "hour", inViewport);
  const reads = (data ?? []).map(({ accepted }) => accepted);
  const sum = reads.reduce((total, one) => total + one, 0);
  return (
    <Box ref={ref} w={{ base: 150, sm: 180 }} mih={44}>
      {sum > 0 && (
        // The text below says it. Inert, since the chart would take the focus.
        <div inert>
          <Sparkline h={28} data={reads} curveType="monotone" color="brand" strokeWidth={1.5} />
        </div>
      )}
      {data !== undefined && (
        <Text size="xs" c="dimmed" aria-hidden>
          {t("readers.aMinute")}
        </Text>
      )}
      <VisuallyHidden>
        {data !== undefined && t("readers.chart", { count: sum, most: format.number(Math.max(0, ...reads)) })}
      </VisuallyHidden>
    </Box>
  );
}
