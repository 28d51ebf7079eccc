//! The heap: a stack-like allocator over the region the virtual machine provides.
//!
//! An instruction is short, so nothing is searched or merged: a block is given back only when it is the newest,
//! which is the case for locals (Rust drops them in reverse order) and for lists that grow.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::null_mut;

const START: usize = 0x3_0000_0000;
/// The most a transaction can request; without a request only the first 32 KiB are mapped, and the virtual machine
/// stops the program at the first byte beyond.
const END: usize = START + 256 * 1024;
/// The first word of the region remembers where the free part begins; zero before the first use.
const CURSOR: *mut usize = START as *mut usize;

struct Heap;

#[global_allocator]
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

// SAFETY: blocks never overlap (the cursor only passes the end of the newest block), are aligned as asked, and lie
// inside the region.
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

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if block as usize + layout.size() == cursor() {
            set_cursor(block as usize);
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let start = block as usize;
        if start + layout.size() == cursor() {
            let end = start.saturating_add(new_size);
            if end > END {
                return null_mut();
            }
            set_cursor(end);
            return block;
        }
        // SAFETY: the layout stays valid with another size; the old block holds `layout.size()` bytes.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(new_size));
            }
            moved
        }
    }
}
