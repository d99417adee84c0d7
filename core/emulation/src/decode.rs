//! Decodes the AMX instructions and two AVX-VNNI instructions (three-byte VEX prefix, opcode map
//! 0F38).

/// An instruction on tile registers (0 to 7) or on 256-bit vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    /// `ldtilecfg`
    Configure(Address),
    /// `tilerelease`
    Release,
    /// `tilezero`
    Zero(u8),
    /// `tileloadd`
    Load(u8, Address),
    /// `tilestored`
    Store(Address, u8),
    /// `tdpbf16ps`
    Product { sums: u8, left: u8, right: u8 },
    /// `vpdpwssd` of vectors in registers
    PairProducts { sums: u8, left: u8, right: u8 },
    /// `vpdpbusd` of vectors in registers
    ByteProducts { sums: u8, left: u8, right: u8 },
}

/// A memory operand, with register numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) base: u8,
    pub(super) index: Option<u8>,
    /// The index is shifted left by this many bits.
    pub(super) shift: u8,
    pub(super) displacement: i32,
}

/// Decodes the instruction at an address; returns it with its length, or `None` if it is not one of
/// those above.
///
/// # Safety
///
/// `code` points to whole instructions. Nothing past the end of the first is read.
pub(super) unsafe fn decode(code: *const u8) -> Option<(Instruction, usize)> {
    // SAFETY: `code` points to whole instructions (this function's safety contract).
    let mut reader = unsafe { Reader::new(code) };
    let instruction = reader.instruction()?;
    Some((instruction, reader.length))
}

/// Reads an instruction byte by byte. A byte is read only once the previous ones show that the
/// instruction continues.
struct Reader {
    code: *const u8,
    length: usize,
}

/// The offsets that the prefix adds to register numbers: 0 or 8.
struct RegisterExtension {
    base: u8,
    index: u8,
}

impl Reader {
    /// # Safety
    ///
    /// `code` points to whole instructions.
    unsafe fn new(code: *const u8) -> Self {
        Self { code, length: 0 }
    }

    fn byte(&mut self) -> u8 {
        // SAFETY: `code` points to whole instructions, and a byte is read only while the
        // instruction continues.
        let byte = unsafe { self.code.add(self.length).read() };
        self.length += 1;
        byte
    }

    fn instruction(&mut self) -> Option<Instruction> {
        const MAP: u8 = 0b00010;
        if self.byte() != 0xc4 {
            return None;
        }
        // The inverted bits R, X and B extend register numbers; tiles do not use R.
        let extensions = self.byte();
        if extensions & 0b11111 != MAP {
            return None;
        }
        let wide = RegisterExtension {
            base: (!extensions >> 5 & 1) * 8,
            index: (!extensions >> 6 & 1) * 8,
        };
        // W, inverted vvvv, L, and the implied prefix: none, 66, F3 or F2.
        let form = self.byte();
        let (third, prefix) = (!form >> 3 & 0b1111, form & 0b11);
        if form & 0b1000_0000 != 0 {
            return None;
        }
        let opcode = self.byte();
        let operands = self.byte();
        let (mode, first, second) = (operands >> 6, operands >> 3 & 7, operands & 7);
        let in_registers = mode == 0b11;
        if form & 0b100 != 0 {
            let (sums, right) = (first + (!extensions >> 7) * 8, second + wide.base);
            return match (opcode, prefix, in_registers) {
                (0x50, 1, true) => Some(Instruction::ByteProducts { sums, left: third, right }),
                (0x52, 1, true) => Some(Instruction::PairProducts { sums, left: third, right }),
                _ => None,
            };
        }
        if extensions & 0x80 == 0 || third > 7 {
            return None;
        }
        let tileless = third == 0;
        match (opcode, prefix) {
            (0x49, 0) if in_registers && tileless && (first, second) == (0, 0) => {
                Some(Instruction::Release)
            }
            (0x49, 0) if !in_registers && tileless && first == 0 => {
                Some(Instruction::Configure(self.address(mode, second, &wide)?))
            }
            (0x49, 3) if in_registers && tileless && second == 0 => Some(Instruction::Zero(first)),
            (0x4b, 3) if !in_registers && tileless && second == 4 => {
                Some(Instruction::Load(first, self.address(mode, second, &wide)?))
            }
            (0x4b, 2) if !in_registers && tileless && second == 4 => {
                Some(Instruction::Store(self.address(mode, second, &wide)?, first))
            }
            (0x5c, 2) if in_registers => {
                Some(Instruction::Product { sums: first, left: second, right: third })
            }
            _ => None,
        }
    }

    /// The memory operand; `None` for one without a base register.
    fn address(&mut self, mode: u8, base: u8, wide: &RegisterExtension) -> Option<Address> {
        let (mut base, mut index, mut shift) = (base, None, 0);
        if base == 4 {
            let scaled = self.byte();
            let number = (scaled >> 3 & 7) + wide.index;
            (base, shift) = (scaled & 7, scaled >> 6);
            index = (number != 4).then_some(number);
        }
        if mode == 0 && base == 5 {
            return None;
        }
        let displacement = match mode {
            0 => 0,
            1 => i32::from(self.byte() as i8),
            _ => i32::from_le_bytes(std::array::from_fn(|_| self.byte())),
        };
        Some(Address { base: base + wide.base, index, shift, displacement })
    }
}

#[cfg(test)]
mod tests {
    use super::Instruction::*;
    use super::*;

    /// Encodings produced by the GNU and LLVM assemblers.
    #[test]
    fn encodings_of_assemblers_are_read() {
        let at = |base, index, shift, displacement| Address { base, index, shift, displacement };
        let cases: &[(&str, &[u8], Option<Instruction>)] = &[
            (
                "ldtilecfg [rax]",
                &[0xc4, 0xe2, 0x78, 0x49, 0x00],
                Some(Configure(at(0, None, 0, 0))),
            ),
            (
                "ldtilecfg [r13 + 0x40]",
                &[0xc4, 0xc2, 0x78, 0x49, 0x45, 0x40],
                Some(Configure(at(13, None, 0, 0x40))),
            ),
            ("tilerelease", &[0xc4, 0xe2, 0x78, 0x49, 0xc0], Some(Release)),
            ("tilezero tmm0", &[0xc4, 0xe2, 0x7b, 0x49, 0xc0], Some(Zero(0))),
            ("tilezero tmm7", &[0xc4, 0xe2, 0x7b, 0x49, 0xf8], Some(Zero(7))),
            (
                "tileloadd tmm4, [rsi + rdx]",
                &[0xc4, 0xe2, 0x7b, 0x4b, 0x24, 0x16],
                Some(Load(4, at(6, Some(2), 0, 0))),
            ),
            (
                "tileloadd tmm5, [r13 + r14*4 + 0x400]",
                &[0xc4, 0x82, 0x7b, 0x4b, 0xac, 0xb5, 0x00, 0x04, 0x00, 0x00],
                Some(Load(5, at(13, Some(14), 2, 0x400))),
            ),
            (
                "tileloadd tmm6, [rsp + r8 - 64]",
                &[0xc4, 0xa2, 0x7b, 0x4b, 0x74, 0x04, 0xc0],
                Some(Load(6, at(4, Some(8), 0, -64))),
            ),
            (
                "tileloadd tmm3, [r9]",
                &[0xc4, 0xc2, 0x7b, 0x4b, 0x1c, 0x21],
                Some(Load(3, at(9, None, 0, 0))),
            ),
            (
                "tilestored [rdi + rax + 64], tmm1",
                &[0xc4, 0xe2, 0x7a, 0x4b, 0x4c, 0x07, 0x40],
                Some(Store(at(7, Some(0), 0, 64), 1)),
            ),
            (
                "tilestored [r12 + r15*8], tmm2",
                &[0xc4, 0x82, 0x7a, 0x4b, 0x14, 0xfc],
                Some(Store(at(12, Some(15), 3, 0), 2)),
            ),
            (
                "tdpbf16ps tmm0, tmm4, tmm6",
                &[0xc4, 0xe2, 0x4a, 0x5c, 0xc4],
                Some(Product { sums: 0, left: 4, right: 6 }),
            ),
            (
                "tdpbf16ps tmm3, tmm5, tmm7",
                &[0xc4, 0xe2, 0x42, 0x5c, 0xdd],
                Some(Product { sums: 3, left: 5, right: 7 }),
            ),
            (
                "vpdpwssd ymm1, ymm2, ymm3",
                &[0xc4, 0xe2, 0x6d, 0x52, 0xcb],
                Some(PairProducts { sums: 1, left: 2, right: 3 }),
            ),
            (
                "vpdpwssd ymm9, ymm10, ymm11",
                &[0xc4, 0x42, 0x2d, 0x52, 0xcb],
                Some(PairProducts { sums: 9, left: 10, right: 11 }),
            ),
            (
                "vpdpbusd ymm1, ymm2, ymm3",
                &[0xc4, 0xe2, 0x6d, 0x50, 0xcb],
                Some(ByteProducts { sums: 1, left: 2, right: 3 }),
            ),
            ("vpdpwssds ymm1, ymm2, ymm3", &[0xc4, 0xe2, 0x6d, 0x53, 0xcb], None),
            ("tileloaddt1 tmm1, [rsi + rdx]", &[0xc4, 0xe2, 0x79, 0x4b, 0x0c, 0x16], None),
            ("tdpbssd tmm0, tmm4, tmm6", &[0xc4, 0xe2, 0x4b, 0x5e, 0xc4], None),
            ("sttilecfg [rax]", &[0xc4, 0xe2, 0x79, 0x49, 0x00], None),
            ("vaddps zmm0, zmm1, zmm2", &[0x62, 0xf1, 0x74, 0x48, 0x58, 0xc2], None),
            ("vpermd ymm0, ymm1, ymm2", &[0xc4, 0xe2, 0x75, 0x36, 0xc2], None),
            ("ud2", &[0x0f, 0x0b], None),
        ];
        let wrong: Vec<_> = cases
            .iter()
            .filter_map(|(name, code, wanted)| {
                // SAFETY: the bytes are one whole instruction.
                let read = unsafe { decode(code.as_ptr()) };
                let wanted = wanted.map(|instruction| (instruction, code.len()));
                (read != wanted).then(|| format!("{name}: {read:?}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
