//! A view of one account in the program's input.
//!
//! Layout of an entry, from its first byte (8-aligned): 0 duplicate mark, 1 signer, 2 writable, 3 executable,
//! 4-7 padding, 8 key, 40 owner, 72 lamports, 80 data length, 88 data, then 10,240 bytes to grow into.
//!
//! Invariants that make the `unsafe` below sound:
//! 1. `entry` was placed by the loader and stays mapped until the program returns (`entrypoint` is the only maker);
//! 2. key and flags never change, so a reference to the key may be handed out; owner, lamports, length and data may
//!    change under a call to another program, so they are only ever copied out;
//! 3. no reference to data leaves this module: readers get it inside a plain `fn` that can capture nothing, hence
//!    can neither keep it nor reach another account; two views of the same entry therefore cannot alias;
//! 4. the length is at most `original_len + 10,240`, kept by the loader and by `resize`.

use crate::error::{Error, Result};
use crate::pubkey::{PROGRAM_ID, Pubkey, SYSTEM_PROGRAM};
use core::marker::PhantomData;
use core::slice::from_raw_parts;

pub(super) const KEY: usize = 8;
pub(super) const OWNER: usize = 40;
pub(super) const LAMPORTS: usize = 72;
pub(super) const DATA_LEN: usize = 80;
pub(super) const DATA: usize = 88;
pub(super) const MAX_GROWTH: usize = 10_240;

/// A copyable handle; copies of one entry (duplicates in the input included) see each other's changes.
#[derive(Clone, Copy)]
pub struct Account<'a> {
    entry: *mut u8,
    original_len: usize,
    input: PhantomData<&'a [u8]>,
}

impl<'a> Account<'a> {
    /// # Safety
    /// `entry` must be the first byte of a non-duplicate entry of the loader's input, which outlives `'a`.
    pub(super) unsafe fn at(entry: *mut u8) -> Self {
        // SAFETY: promised by the caller.
        let original_len = unsafe { entry.add(DATA_LEN).cast::<u64>().read() } as usize;
        Account { entry, original_len, input: PhantomData }
    }

    /// The address of a field or of the data; for the call structures.
    pub(super) fn field(&self, offset: usize) -> *mut u8 {
        // SAFETY: invariant 1; offsets are the constants above.
        unsafe { self.entry.add(offset) }
    }

    fn flag(&self, offset: usize) -> bool {
        // SAFETY: invariant 1.
        unsafe { self.field(offset).read() != 0 }
    }

    fn word(&self, offset: usize) -> u64 {
        // SAFETY: invariant 1; words of an entry are 8-aligned.
        unsafe { self.field(offset).cast::<u64>().read() }
    }

    fn set_word(&self, offset: usize, value: u64) {
        // SAFETY: as in `word`; these words may be written even in accounts that the runtime then refuses to change.
        unsafe { self.field(offset).cast::<u64>().write(value) }
    }

    /// The address.
    pub fn key(&self) -> &'a Pubkey {
        // SAFETY: invariants 1 and 2; `Pubkey` is 32 plain bytes.
        unsafe { &*self.field(KEY).cast::<Pubkey>() }
    }

    /// True if the transaction, or the calling program, signs for this account.
    pub fn is_signer(&self) -> bool {
        self.flag(1)
    }

    /// True if this account may change.
    pub fn is_writable(&self) -> bool {
        self.flag(2)
    }

    /// The owning program at this moment.
    pub fn owner(&self) -> Pubkey {
        // SAFETY: invariant 1; copied because a call may change it.
        unsafe { self.field(OWNER).cast::<Pubkey>().read() }
    }

    /// The balance at this moment.
    pub fn lamports(&self) -> u64 {
        self.word(LAMPORTS)
    }

    /// The data length in bytes at this moment.
    pub fn data_len(&self) -> usize {
        self.word(DATA_LEN) as usize
    }

    /// Runs `read` over the data. A plain function on purpose: see invariant 3.
    pub fn read<T>(&self, read: fn(&[u8]) -> T) -> T {
        // SAFETY: invariants 3 and 4: nothing can write while the slice lives.
        read(unsafe { from_raw_parts(self.field(DATA), self.data_len()) })
    }

    /// The 32 bytes at `offset`, or `None` when the data ends before.
    pub fn pubkey_at(&self, offset: usize) -> Option<Pubkey> {
        let end = offset.checked_add(32)?;
        if end > self.data_len() {
            return None;
        }
        // SAFETY: the range was checked; bytes need no alignment.
        Some(unsafe { self.field(DATA).add(offset).cast::<Pubkey>().read() })
    }

    /// Overwrites the first bytes of the data; what follows stays. The account must be ours and writable.
    pub fn write(&self, bytes: &[u8]) -> Result {
        self.require_ours_and_writable()?;
        if bytes.len() > self.data_len() {
            return Err(Error::AccountDidNotSerialize);
        }
        // SAFETY: the length was checked; `bytes` is never account data (invariant 3), so the ranges are disjoint.
        unsafe { self.field(DATA).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }

    /// Grows the data to `new_len` bytes, new ones zero. Never shrinks. Rent is the caller's business.
    pub fn grow(&self, new_len: usize) -> Result {
        self.require_ours_and_writable()?;
        let old_len = self.data_len();
        if new_len <= old_len {
            return Ok(());
        }
        if new_len > self.original_len.saturating_add(MAX_GROWTH) {
            return Err(Error::InvalidRealloc);
        }
        self.set_word(DATA_LEN, new_len as u64);
        // SAFETY: the entry has room for `original_len + MAX_GROWTH` bytes.
        unsafe { self.field(DATA).add(old_len).write_bytes(0, new_len - old_len) };
        Ok(())
    }

    /// Moves the whole balance to `to`, empties the data and gives the address back to the system program. The account
    /// must be ours. Whether both may change is left to the runtime, which refuses the whole instruction otherwise.
    ///
    /// The runtime also compares the sums of balances at every call: a call that takes `to` along afterwards, but not
    /// this account, is refused as unbalanced.
    pub fn close(&self, to: &Account) -> Result {
        if self.owner() != PROGRAM_ID {
            return Err(Error::AccountOwnedByWrongProgram);
        }
        let amount = self.lamports();
        self.set_word(LAMPORTS, 0);
        // Read after the first write: both may be views of one entry.
        let balance = to.lamports().checked_add(amount).ok_or(Error::ArithmeticOverflow)?;
        to.set_word(LAMPORTS, balance);
        self.set_word(DATA_LEN, 0);
        // SAFETY: invariant 1; the owner is 32 bytes of the entry.
        unsafe { self.field(OWNER).cast::<Pubkey>().write(SYSTEM_PROGRAM) };
        Ok(())
    }

    fn require_ours_and_writable(&self) -> Result {
        if !self.is_writable() {
            return Err(Error::ConstraintMut);
        }
        if self.owner() != PROGRAM_ID {
            return Err(Error::AccountOwnedByWrongProgram);
        }
        Ok(())
    }
}
