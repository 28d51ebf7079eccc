/** The environments the service knows. On the wire `production` is another word for `mainnet` (gap 1). */
export const environmentNames = ["sandbox", "devnet", "mainnet"] as const;
export type EnvironmentName = (typeof environmentNames)[number];
