//! Emulates Intel AMX and AVX-VNNI for tests on processors that lack them. The kernels' own machine
//! code runs; the instructions that the processor lacks are executed in software.
//!
//! Such an instruction raises SIGILL. A handler decodes it, executes it on emulated tile registers
//! (Intel's Software Developer's Manual, volume 2), and resumes the thread after it. The handler
//! knows only the instructions that the kernels use; any other illegal instruction still ends the
//! process.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::cell::UnsafeCell;
use std::sync::OnceLock;

use libc::{c_int, c_void, siginfo_t, ucontext_t};

use self::decode::{Address, Instruction, decode};
use self::tiles::Tiles;

mod decode;
mod tiles;

/// Installs the handler for the whole process, once; returns whether it is installed.
pub fn install() -> bool {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    *INSTALLED.get_or_init(set_handler)
}

/// Whether the calling thread's emulated tiles are in their initial state.
pub fn tiles_are_released() -> bool {
    // SAFETY: the cell belongs to the thread; only the handler changes it, and the handler does not
    // run here.
    TILES.with(|tiles| unsafe { (*tiles.get()).are_released() })
}

thread_local! {
    static TILES: UnsafeCell<Tiles> = const { UnsafeCell::new(Tiles::NEW) };
}

/// Makes [`handle`] the handler of SIGILL.
fn set_handler() -> bool {
    // SAFETY: all zeros are a valid value of this C structure, and the handler has the type that
    // SA_SIGINFO asks for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handle as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigaction(libc::SIGILL, &raw const action, std::ptr::null_mut()) == 0
    }
}

/// Executes the instruction at which the thread stopped and those after it, up to the first that is
/// not emulated. Allocates nothing and takes no lock, as a signal handler must.
extern "C" fn handle(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: with SA_SIGINFO the third argument is the interrupted thread's context.
    let context = unsafe { &mut (*context.cast::<ucontext_t>()).uc_mcontext };
    let mut vectors = Vectors(context.fpregs.cast());
    let registers = Registers(&mut context.gregs);
    let mut emulated = false;
    TILES.with(|tiles| {
        // SAFETY: the cell belongs to the thread. Only this function uses it, and it does not
        // interrupt itself: it contains no illegal instruction, and SIGILL is blocked while it
        // runs.
        let tiles = unsafe { &mut *tiles.get() };
        let at = |registers: &Registers<'_>| registers.0[libc::REG_RIP as usize];
        // SAFETY: the instruction pointer is at an instruction, and an emulated instruction is
        // followed by another.
        while let Some((instruction, length)) = unsafe { decode(at(&registers) as *const u8) } {
            if !run(tiles, instruction, &registers, &mut vectors) {
                break;
            }
            registers.0[libc::REG_RIP as usize] += length as i64;
            emulated = true;
        }
    });
    if !emulated {
        // SAFETY: this installs the default action; the instruction, executed again, ends the
        // process.
        unsafe { libc::signal(libc::SIGILL, libc::SIG_DFL) };
    }
}

/// The interrupted thread's general registers and instruction pointer.
struct Registers<'a>(&'a mut [libc::greg_t; 23]);

impl Registers<'_> {
    /// The general register with this number in the instruction encoding.
    fn get(&self, number: u8) -> usize {
        const ORDER: [c_int; 16] = [
            libc::REG_RAX,
            libc::REG_RCX,
            libc::REG_RDX,
            libc::REG_RBX,
            libc::REG_RSP,
            libc::REG_RBP,
            libc::REG_RSI,
            libc::REG_RDI,
            libc::REG_R8,
            libc::REG_R9,
            libc::REG_R10,
            libc::REG_R11,
            libc::REG_R12,
            libc::REG_R13,
            libc::REG_R14,
            libc::REG_R15,
        ];
        self.0[ORDER[usize::from(number)] as usize] as usize
    }

    /// The start address of a memory operand.
    fn start(&self, address: &Address) -> usize {
        self.get(address.base).wrapping_add_signed(address.displacement as isize)
    }

    /// The distance in bytes between rows of a tile in memory: in these instructions the index
    /// register is the stride.
    fn stride(&self, address: &Address) -> usize {
        address.index.map_or(0, |index| self.get(index) << address.shift)
    }
}

/// The interrupted thread's vector registers: its saved state in the standard XSAVE format.
struct Vectors(*mut u8);

impl Vectors {
    /// Offsets of the lower register halves, of the bitmap of components not in their initial
    /// state, and of the upper halves.
    const LOWER: usize = 160;
    const COMPONENTS: usize = 512;
    const UPPER: usize = 576;

    /// The two halves of the register with this number.
    fn halves(&self, number: u8) -> [*mut [i32; 4]; 2] {
        [Self::LOWER, Self::UPPER]
            .map(|at| self.0.wrapping_add(at + 16 * usize::from(number)).cast())
    }

    /// Adds the products of the elements of two registers to the sums of a third.
    fn add_products(&mut self, [sums, left, right]: [u8; 3], product: impl Fn(i32, i32) -> i32) {
        // SAFETY: a processor that decodes the instruction's form has AVX, so that the state has
        // both halves of 16 registers.
        unsafe {
            let (left, right) = (self.halves(left), self.halves(right));
            for (half, sums) in self.halves(sums).into_iter().enumerate() {
                let (left, right) = (left[half].read_unaligned(), right[half].read_unaligned());
                let before = sums.read_unaligned();
                let after: [i32; 4] =
                    std::array::from_fn(|i| before[i].wrapping_add(product(left[i], right[i])));
                sums.write_unaligned(after);
            }
            *self.0.add(Self::COMPONENTS) |= 0b110;
        }
    }
}

/// Executes an instruction. Returns false, and changes nothing, where the processor would raise an
/// exception.
fn run(
    tiles: &mut Tiles,
    instruction: Instruction,
    registers: &Registers<'_>,
    vectors: &mut Vectors,
) -> bool {
    match instruction {
        Instruction::Configure(address) => {
            // SAFETY: the memory operand is readable, as the instruction requires of the emulated
            // program.
            let bytes = unsafe { *(registers.start(&address) as *const [u8; 64]) };
            tiles.configure(&bytes)
        }
        Instruction::Release => {
            *tiles = Tiles::NEW;
            true
        }
        Instruction::Zero(tile) => tiles.zero(tile),
        Instruction::Load(tile, address) => {
            let (start, stride) = (registers.start(&address), registers.stride(&address));
            // SAFETY: the tile's rows in memory are readable, as the instruction requires of the
            // emulated program.
            unsafe { tiles.load(tile, start as *const u8, stride) }
        }
        Instruction::Store(address, tile) => {
            let (start, stride) = (registers.start(&address), registers.stride(&address));
            // SAFETY: the tile's rows in memory are writable, as the instruction requires of the
            // emulated program.
            unsafe { tiles.store(tile, start as *mut u8, stride) }
        }
        Instruction::Product { sums, left, right } => tiles.add_product(sums, left, right),
        Instruction::PairProducts { sums, left, right } => {
            vectors.add_products([sums, left, right], |a, b| {
                let [a, b] = [a, b].map(|pair| [pair as i16, (pair >> 16) as i16].map(i32::from));
                (a[0] * b[0]).wrapping_add(a[1] * b[1])
            });
            true
        }
        Instruction::ByteProducts { sums, left, right } => {
            vectors.add_products([sums, left, right], |a, b| {
                let (a, b) =
                    (a.to_le_bytes().map(i32::from), b.to_le_bytes().map(|b| i32::from(b as i8)));
                a.iter().zip(b).map(|(a, b)| a * b).sum()
            });
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use std::arch::asm;

    use half::bf16;
    use speech_kernels::Amx;

    use super::*;

    /// The rows, and bytes per row, of a tile of 2 rows by 2 floats (0), or 2 rows by 2 pairs (1,
    /// 2).
    #[repr(C, align(64))]
    struct Configuration([u8; 64]);

    #[test]
    fn instructions_run_where_they_stand() {
        // SAFETY: the tiles are used only if the emulator is installed.
        let emulated = || unsafe { Amx::assuming_tiles() }.filter(|_| install());
        if Amx::detect().or_else(emulated).is_none() {
            return;
        }
        let mut configuration = Configuration([0; 64]);
        configuration.0[0] = 1;
        for tile in 0..3 {
            (configuration.0[16 + 2 * tile], configuration.0[48 + tile]) = (8, 2);
        }
        // Rows of four elements; every other row is read.
        let inputs =
            [1.0, 2.0, 3.0, 4.0, 9.0, 9.0, 9.0, 9.0, 5.0, 6.0, 7.0, 8.0].map(bf16::from_f32);
        let weights = [1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 2.0].map(bf16::from_f32);
        let mut sums = [0.0_f32; 7];
        // SAFETY: the processor has the instructions, or they are emulated. Tiles 0 to 2 have 2
        // rows of 8 bytes: the rows of the inputs are 16 bytes apart, those of the weights 8, and
        // those of the sums, which start at the second element, 12.
        unsafe {
            asm!(
                "ldtilecfg [{configuration}]",
                "tilezero tmm0",
                "tileloadd tmm1, [{inputs} + {four}*4]",
                "tileloadd tmm2, [{weights} + {four}*2]",
                "tdpbf16ps tmm0, tmm1, tmm2",
                "lea {four}, [{four} + 2*{four}]",
                "tilestored [{sums} + {four} + 4], tmm0",
                "tilerelease",
                configuration = in(reg) &raw const configuration,
                inputs = in(reg) &raw const inputs,
                weights = in(reg) &raw const weights,
                sums = in(reg) &raw mut sums,
                four = inout(reg) 4_usize => _,
                out("tmm0") _, out("tmm1") _, out("tmm2") _,
                options(nostack),
            );
        }
        assert_eq!(sums, [0.0, 7.0, 10.0, 0.0, 19.0, 22.0, 0.0]);
    }
}
