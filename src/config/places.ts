import ipaddr from "ipaddr.js";
import type { Reader } from "./reader.js";

export function parseOrigins({ read, problems }: Reader): readonly string[] {
  const text = read("TRELLIS_CORS_ORIGINS");
  if (text === "") return [];
  const origins = text.split(",").map((origin) => origin.trim());
  for (const origin of origins) {
    if (!/^https?:\/\/[^/\s]+$/.test(origin))
      problems.push(`TRELLIS_CORS_ORIGINS: "${origin}" is not an origin such as https://app.example.`);
  }
  return origins;
}

export function parsePublicUrl({ read, problems }: Reader): string | null {
  const text = read("TRELLIS_PUBLIC_URL");
  if (text === "") return null;
  if (!/^https?:\/\/[^/\s?#]+(\/[^\s?#]*)?$/.test(text) || !URL.canParse(text)) {
    problems.push("TRELLIS_PUBLIC_URL must be a URL such as https://trellis.example, without query and fragment.");
  }
  return text.replace(/\/+$/, "");
}

/** Where events may be sent beyond public addresses: networks in CIDR notation; and ports of https receivers. */
export interface WebhookPlaces {
  readonly networks: readonly string[];
  readonly ports: readonly number[];
}

/** Gap 93. */
export function parseWebhooks({ read, problems }: Reader): WebhookPlaces {
  const parts = (text: string) => text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  const networks = parts(read("TRELLIS_WEBHOOK_NETWORKS"));
  for (const network of networks) {
    if (!ipaddr.isValidCIDR(network)) problems.push(`TRELLIS_WEBHOOK_NETWORKS: "${network}" is not in CIDR notation.`);
  }
  const ports = parts(read("TRELLIS_WEBHOOK_PORTS")).map(Number);
  if (ports.length === 0 || ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535)) {
    problems.push("TRELLIS_WEBHOOK_PORTS must be ports, separated by commas.");
  }
  return { networks, ports };
}

/** Where metrics are read, and with which token. */
export interface MetricsPlace {
  readonly host: string;
  readonly port: number;
  readonly token: string | null;
}

/** Null: nowhere. */
export function parseMetrics({ read, integer, problems }: Reader): MetricsPlace | null {
  const [host, token] = [read("TRELLIS_METRICS_HOST"), read("TRELLIS_METRICS_TOKEN")];
  if (read("TRELLIS_METRICS_PORT") === "") return null;
  const port = integer("TRELLIS_METRICS_PORT", 0, 65_535);
  if (token !== "" && !/^[\x21-\x7e]{16,}$/.test(token)) {
    problems.push("TRELLIS_METRICS_TOKEN must have at least 16 printable characters and no spaces.");
  }
  const isLocal = host === "localhost" || (ipaddr.isValid(host) && ipaddr.parse(host).range() === "loopback");
  if (token === "" && !isLocal) {
    problems.push(
      `TRELLIS_METRICS_TOKEN is required where others can reach ${host}. Make one with: openssl rand -base64 24`,
    );
  }
  return { host, port, token: token === "" ? null : token };
}

/** The server that mail goes through. */
export interface MailServer {
  readonly url: string;
  readonly from: string;
}

/** Null: mail stays in the sandbox's outbox. */
export function parseSmtp({ read, problems }: Reader): MailServer | null {
  const [url, from] = [read("TRELLIS_SMTP_URL"), read("TRELLIS_MAIL_FROM")];
  if (url === "") return null;
  if (!/^smtps?:\/\//.test(url)) problems.push("TRELLIS_SMTP_URL must begin with smtp:// or smtps://.");
  if (from === "") problems.push("TRELLIS_MAIL_FROM is required with TRELLIS_SMTP_URL.");
  return { url, from };
}
