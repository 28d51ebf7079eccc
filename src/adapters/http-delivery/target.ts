import { isIP } from "node:net";
import type { TargetFault, TargetRules } from "@trellis/kernel/ports/webhook-post.js";
import ipaddr from "ipaddr.js";

/** What an operator allows beyond public addresses. */
export interface AllowedTargets {
  /** Private networks that may be dialled, in CIDR notation. */
  readonly networks: readonly string[];
  /** Ports of https targets. */
  readonly ports: readonly number[];
  /** Whether requests that may go to this very machine do: where no other tenant's receivers are. */
  readonly loopback: boolean;
}

/** A URL that may be dialled, if its addresses may. */
export interface Target {
  readonly url: URL;
  /** Without brackets. */
  readonly host: string;
  /** Whether the host is an address already. */
  readonly isAddress: boolean;
  readonly port: number;
  readonly isPlain: boolean;
}

const onionLike = /\.onion$/;
const localNames = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/**
 * Reads a target's URL. What is not written as a plain address is turned into one by the WHATWG parser (octal, hex, short
 * and exotic forms), and only its result is used from there on.
 */
export function parseTarget(text: string, rules: TargetRules, allowed: AllowedTargets): Target | TargetFault {
  if (!URL.canParse(text)) return "invalid_url";
  const url = new URL(text);
  const host = url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  const isAddress = isIP(host) !== 0;
  const isPlain = url.protocol === "http:";
  const allowsLoopback = rules.allowsLoopback && allowed.loopback;
  const isLoopback = host === "localhost" || (isAddress && rangeOf(host) === "loopback");
  if (host === "" || url.username !== "" || url.password !== "" || text.includes("#")) return "invalid_url";
  if (url.protocol !== "https:" && !(isPlain && allowsLoopback && isLoopback)) return "invalid_url";
  const port = Number(url.port || (isPlain ? 80 : 443));
  if (isLoopback && allowsLoopback) return { url, host, isAddress, port, isPlain };
  if (!allowed.ports.includes(port)) return "invalid_url";
  if (onionLike.test(host)) return "private_address";
  // Names of private networks mean something only where an operator opened one.
  if (!isAddress && allowed.networks.length === 0 && (localNames.test(host) || !host.includes("."))) {
    return "private_address";
  }
  return { url, host, isAddress, port, isPlain };
}

/** Whether an address may be dialled for this target. */
export function mayDial(address: string, target: Target, rules: TargetRules, allowed: AllowedTargets): boolean {
  if (isIP(address) === 0) return false;
  const parsed = unwrap(address);
  const range = parsed.range();
  if (range === "loopback" && rules.allowsLoopback && allowed.loopback)
    return target.host === "localhost" || target.isAddress;
  if (target.isPlain) return false;
  if (range === "unicast" && isPublic(parsed)) return true;
  return allowed.networks.some((network) => isInside(parsed, network));
}

/** Of IPv6, what the world routes to: elsewhere stand old ways to write an IPv4 address, and what is not assigned. */
const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.kind() === "ipv4" || isInside(address, "2000::/3");

function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}

const rangeOf = (address: string): string => unwrap(address).range();

/** An IPv4 address in the clothes of an IPv6 one is judged as what it is. */
function unwrap(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  // A zone names an interface of this machine.
  const parsed = ipaddr.parse(address.split("%")[0] ?? address);
  return parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed;
}
