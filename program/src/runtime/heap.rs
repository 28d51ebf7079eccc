//! The heap: blocks one after the other, never given back.
//!
//! The public program's allocator does the same, and what it cannot do for want of memory must not work here either: a
//! proposal that could never be executed on a cluster has to fail in the sandbox too. Without a request only the first
//! 32 KiB are mapped, and the virtual machine stops the program at the first byte beyond.
//!
//! This program needs less than the public one for the same work. The difference is made up by `occupy`, with the
//! amounts in `public_memory`.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::null_mut;

const START: usize = 0x3_0000_0000;
/// The most a transaction can request.
const END: usize = START + 256 * 1024;
/// The first word of the region remembers where the free part begins; zero before the first use.
const CURSOR: *mut usize = START as *mut usize;

struct Heap;

#[cfg_attr(not(test), global_allocator)]
static HEAP: Heap = Heap;

fn cursor() -> usize {
    // SAFETY: the word lies in the heap region, is zero at first, and only this module writes it.
    let at = unsafe { CURSOR.read() };
    if at == 0 { START + size_of::<usize>() } else { at }
}

fn set_cursor(at: usize) {
    // SAFETY: as in `cursor`; programs are single-threaded.
    unsafe { CURSOR.write(at) }
}

// SAFETY: blocks never overlap (the cursor only moves on), are aligned as asked, and lie inside the region.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = cursor().next_multiple_of(layout.align());
        let end = start.saturating_add(layout.size());
        if end > END {
            return null_mut();
        }
        set_cursor(end);
        start as *mut u8
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

/// Uses up `bytes` of the heap. The virtual machine stops the program when they are not there.
pub fn occupy(bytes: usize) {
    // The host, where unit tests run, has no such region.
    if bytes == 0 || cfg!(test) {
        return;
    }
    let end = cursor().saturating_add(bytes);
    assert!(end <= END, "out of memory");
    set_cursor(end);
    // SAFETY: the byte lies in the region, above every block; unmapped memory ends the program.
    unsafe { ((end - 1) as *mut u8).write_volatile(0) }
}
