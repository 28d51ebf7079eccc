//! The wire format: little-endian integers, counted lists, one tag byte before optional values.
//!
//! Reading never panics and never allocates more than the input can fill; `None` means malformed, and the caller
//! knows which error that is.

use crate::pubkey::Pubkey;
use crate::runtime::occupy;
use alloc::vec::Vec;

/// A cursor over untrusted bytes.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.rest.split_at_checked(count)?;
        self.rest = tail;
        Some(head)
    }

    /// The next `N` bytes as an array.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.rest.split_first_chunk::<N>()?;
        self.rest = tail;
        Some(*head)
    }

    /// A value of a type that knows its own layout.
    pub fn read<T: Wire>(&mut self) -> Option<T> {
        T::read(self)
    }

    /// The next byte, which stays unread.
    pub fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// `count` items read by `item`, each at least `min_len` bytes long: a count the input cannot hold fails at once.
    pub fn items<T>(
        &mut self,
        count: usize,
        min_len: usize,
        item: fn(&mut Reader<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        if count > self.rest.len() / min_len {
            return None;
        }
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(item(self)?);
        }
        Some(list)
    }

    /// The bytes after a `u32` count.
    pub fn counted_bytes(&mut self) -> Option<&'a [u8]> {
        let count: u32 = self.read()?;
        self.announced_bytes(count as usize)
    }

    /// The next `count` bytes, where the count came with the input.
    pub fn announced_bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        if count > self.rest.len() {
            // The public program makes room for the announced bytes, up to a megabyte, before it finds that they are not
            // there. Where that fills its heap it aborts instead of answering.
            occupy(count.min(LARGEST_ANNOUNCED));
        }
        self.bytes(count)
    }
}

const LARGEST_ANNOUNCED: usize = 1024 * 1024;

/// A type with one layout on the wire, the same in instructions, accounts and events.
pub trait Wire: Sized {
    /// The shortest encoding in bytes, at least one.
    const MIN_LEN: usize;
    /// Reads one value, or `None` when the bytes do not hold one.
    fn read(reader: &mut Reader) -> Option<Self>;
    /// Appends the encoding.
    fn write(&self, out: &mut Vec<u8>);

    /// Reads `count` values one after the other.
    fn read_list(reader: &mut Reader, count: usize) -> Option<Vec<Self>> {
        reader.items(count, Self::MIN_LEN, Self::read)
    }
    /// Appends the encodings one after the other.
    fn write_list(list: &[Self], out: &mut Vec<u8>) {
        for item in list {
            item.write(out);
        }
    }
}

impl Wire for u8 {
    const MIN_LEN: usize = 1;
    fn read(reader: &mut Reader) -> Option<Self> {
        reader.array::<1>().map(|[byte]| byte)
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }
    // Byte lists are copied as one piece.
    fn read_list(reader: &mut Reader, count: usize) -> Option<Vec<Self>> {
        reader.announced_bytes(count).map(<[u8]>::to_vec)
    }
    fn write_list(list: &[Self], out: &mut Vec<u8>) {
        out.extend_from_slice(list);
    }
}

impl Wire for bool {
    const MIN_LEN: usize = 1;
    fn read(reader: &mut Reader) -> Option<Self> {
        match reader.read::<u8>()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }
}

macro_rules! wire_integers {
    ($($type:ty)*) => {
        $(impl Wire for $type {
            const MIN_LEN: usize = size_of::<$type>();
            fn read(reader: &mut Reader) -> Option<Self> {
                Some(<$type>::from_le_bytes(reader.array()?))
            }
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        })*
    };
}

wire_integers!(u16 u32 u64 i64);

impl<const N: usize> Wire for [u8; N] {
    const MIN_LEN: usize = N;
    fn read(reader: &mut Reader) -> Option<Self> {
        reader.array()
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }
}

impl Wire for Pubkey {
    const MIN_LEN: usize = 32;
    fn read(reader: &mut Reader) -> Option<Self> {
        reader.array().map(Pubkey)
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

impl<T: Wire> Wire for Option<T> {
    const MIN_LEN: usize = 1;
    fn read(reader: &mut Reader) -> Option<Self> {
        match reader.read::<u8>()? {
            0 => Some(None),
            1 => T::read(reader).map(Some),
            _ => None,
        }
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.is_some() as u8);
        if let Some(value) = self {
            value.write(out);
        }
    }
}

impl<T: Wire> Wire for Vec<T> {
    const MIN_LEN: usize = 4;
    fn read(reader: &mut Reader) -> Option<Self> {
        let count: u32 = reader.read()?;
        T::read_list(reader, count as usize)
    }
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u32).write(out);
        T::write_list(self, out);
    }
}

/// UTF-8 text after a `u32` byte count; kept as bytes because the program only passes it on.
pub struct Text(Vec<u8>);

impl Wire for Text {
    const MIN_LEN: usize = 4;
    fn read(reader: &mut Reader) -> Option<Self> {
        let bytes = reader.counted_bytes()?;
        core::str::from_utf8(bytes).ok()?;
        Some(Text(bytes.to_vec()))
    }
    fn write(&self, out: &mut Vec<u8>) {
        (self.0.len() as u32).write(out);
        out.extend_from_slice(&self.0);
    }
}

/// Declares a struct whose layout is its fields one after the other.
macro_rules! wire_struct {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $crate::wire::Wire for $name {
            const MIN_LEN: usize = 0 $(+ <$type as $crate::wire::Wire>::MIN_LEN)*;
            fn read(reader: &mut $crate::wire::Reader) -> Option<Self> {
                Some(Self { $($field: reader.read()?,)* })
            }
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $(self.$field.write(out);)*
            }
        }
    };
}
pub(crate) use wire_struct;

#[cfg(test)]
mod tests {
    use super::{Reader, Text, Wire};
    use alloc::vec;
    use alloc::vec::Vec;

    fn read<T: Wire>(bytes: &[u8]) -> Option<T> {
        Reader::new(bytes).read()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut out = Vec::new();
        let value = Some(vec![1u64, u64::MAX]);
        value.write(&mut out);
        assert_eq!(out.len(), 1 + 4 + 16);
        assert_eq!(read::<Option<Vec<u64>>>(&out), Some(value));
        for len in 0..out.len() {
            assert_eq!(read::<Option<Vec<u64>>>(&out[..len]), None);
        }
    }

    #[test]
    fn counts_that_the_bytes_cannot_hold_are_malformed() {
        assert_eq!(read::<Vec<u8>>(&[255, 255, 255, 255, 1]), None);
        assert_eq!(read::<Vec<u16>>(&[3, 0, 0, 0, 1, 0, 2, 0]), None);
        assert_eq!(read::<Vec<u16>>(&[2, 0, 0, 0, 1, 0, 2, 0]), Some(vec![1, 2]));
    }

    #[test]
    fn tags_other_than_zero_and_one_are_malformed() {
        assert_eq!(read::<bool>(&[2]), None);
        assert_eq!(read::<Option<u8>>(&[2, 1]), None);
    }

    #[test]
    fn text_is_utf_8() {
        assert!(read::<Text>(&[2, 0, 0, 0, 0xc3, 0xa4]).is_some());
        assert!(read::<Text>(&[2, 0, 0, 0, 0xc3, 0x28]).is_none());
    }
}
