import type { Page } from "playwright-core";

export const chromiumPath: string | undefined;
export function findingsOf(
  page: Page,
  options?: { readonly without?: readonly string[]; readonly only?: readonly string[] },
): Promise<readonly string[]>;
