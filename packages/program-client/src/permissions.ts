/** The permission names of the interface (interface 2.2), in the order of their bits. */
export const PERMISSIONS = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;

export type Permission = (typeof PERMISSIONS)[number];

export const CAN_INITIATE_BIT = 1;
export const CAN_VOTE_BIT = 2;
export const CAN_EXECUTE_BIT = 4;
export const ALL_PERMISSIONS_MASK = 7;

/** The names of the bits of `mask`. Throws a `RangeError` for a mask the program would not store (not an integer 0-7). */
export function permissionsOfMask(mask: number): Permission[] {
  if (!Number.isInteger(mask) || mask < 0 || mask > ALL_PERMISSIONS_MASK) {
    throw new RangeError(`not a permission mask: ${mask}`);
  }
  return PERMISSIONS.filter((_, bit) => (mask & (1 << bit)) !== 0);
}

/** The mask of a set of names; order and repetitions do not matter. */
export function maskOfPermissions(permissions: Iterable<Permission>): number {
  let mask = 0;
  for (const permission of permissions) mask |= 1 << PERMISSIONS.indexOf(permission);
  return mask;
}

/** Whether a text is one of the permission names. */
export function isPermission(value: string): value is Permission {
  return (PERMISSIONS as readonly string[]).includes(value);
}
