import { bundleScripts } from "../../packages/docs-site/bundle-scripts.js";
import { renderDocument, renderSite, type SiteContent } from "../../packages/docs-site/render-site.js";
import { openApiContract } from "../../src/http/operational-endpoints.js";
import type { Site } from "../../src/http/site.js";
import { fileOf, type Rendered } from "../../src/http/site-file.js";
import { eventCatalogue } from "../../src/modules.js";

/** The version of a service under test. */
export const testVersion = "0.0.0-test";

type Endpoints = SiteContent["endpoints"];

/** By what they show: several servers of one file show the same. */
const rendered = new Map<string, Promise<Site>>();

/** The whole site of these endpoints, rendered as a build renders it. */
export function renderTestSite(endpoints: Endpoints, { sandbox }: { readonly sandbox: boolean }): Promise<Site> {
  const key = [sandbox, ...endpoints.map(({ contract }) => contract.operation)].join(" ");
  const site = rendered.get(key) ?? renderAll(endpoints, sandbox);
  rendered.set(key, site);
  return site;
}

let scripts: Promise<ReadonlyMap<string, string>> | undefined;

async function renderAll(endpoints: Endpoints, sandbox: boolean): Promise<Site> {
  scripts ??= bundleScripts();
  const bundled = await scripts;
  const content = { endpoints, events: eventCatalogue, version: testVersion, sandbox };
  return filesOf([...(await renderSite(content, (name) => bundled.get(name) ?? ""))]);
}

/** A site of the OpenAPI document alone. */
export function renderTestDocument(endpoints: Endpoints): Promise<Site> {
  return filesOf([[openApiContract.path, renderDocument({ endpoints, events: eventCatalogue, version: testVersion })]]);
}

async function filesOf(texts: readonly (readonly [path: string, Rendered])[]): Promise<Site> {
  return new Map(await Promise.all(texts.map(async ([path, each]) => [path, await fileOf(each)] as const)));
}
