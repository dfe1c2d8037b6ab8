import { isCalendarDate } from "@asset-register/runtime";
import { z } from "zod";

export const calendarDate = z.string().refine(isCalendarDate, "must be a date, YYYY-MM-DD");
