import { TrellisError } from "@trellis/kernel/errors.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";

const uriMax = 2_048;
const plainHost = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Where a browser is sent afterwards: https, without user name and fragment; in the sandbox also http to the developer's own
 * machine. The service itself never dials it. Gives its plain form. Throws `invalid_request`.
 */
export function parseRedirectUri(text: string, environment: EnvironmentName): string {
  const url = text.length <= uriMax && URL.canParse(text) ? new URL(text) : undefined;
  const isHome = url !== undefined && environment === "sandbox" && loopback.test(url.hostname);
  const isAllowed =
    url !== undefined &&
    (url.protocol === "https:" || (url.protocol === "http:" && isHome)) &&
    (isHome || (plainHost.test(url.hostname) && url.hostname.includes("."))) &&
    url.username === "" &&
    url.password === "" &&
    !text.includes("#");
  if (!isAllowed) {
    throw new TrellisError("invalid_request", {
      field: "redirect_uri",
      message: "redirect_uri must be an https URL with a name of the public internet, without user name and fragment.",
    });
  }
  return url.href;
}
