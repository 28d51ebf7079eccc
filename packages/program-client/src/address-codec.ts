import {
  type Address,
  assertByteArrayHasEnoughBytesForCodec,
  createDecoder,
  createEncoder,
  type FixedSizeDecoder,
  type FixedSizeEncoder,
} from "@solana/kit";
import { addressBytes, addressOfBytes } from "./program-address.js";

const size = 32;

/** Kit's encoder of addresses, except that it remembers them. The generated client uses this one. */
export function getAddressEncoder(): FixedSizeEncoder<Address, typeof size> {
  return createEncoder({
    fixedSize: size,
    write: (address, bytes, offset) => {
      bytes.set(addressBytes(address), offset);
      return offset + size;
    },
  });
}

/** Kit's decoder of addresses, except that it remembers them. The generated client uses this one. */
export function getAddressDecoder(): FixedSizeDecoder<Address, typeof size> {
  return createDecoder({
    fixedSize: size,
    read: (bytes, offset) => {
      assertByteArrayHasEnoughBytesForCodec("address", size, bytes, offset);
      return [addressOfBytes((bytes as Uint8Array).subarray(offset, offset + size)), offset + size];
    },
  });
}
