import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** Whether a module is the one that was started, and not imported by it. Paths may hold spaces, and lead over links. */
export function isStarted(moduleUrl: string): boolean {
  const [, started] = process.argv;
  return started !== undefined && moduleUrl === pathToFileURL(realpathSync(started)).href;
}
