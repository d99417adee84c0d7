//! The layout of what crosses the boundary: numbers little-endian, a string as its bytes of UTF-8 after their number, a list as
//! its items after their number. `WireReader` and `WireWriter` of the package are the other side.

/// Writes an answer.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn flag(&mut self, value: bool) {
        self.byte(value.into());
    }

    /// A count or an offset.
    pub(crate) fn int(&mut self, value: usize) {
        // What is counted here is at most a text or its sound, far below the limit.
        self.0.extend((value as i32).to_le_bytes());
    }

    pub(crate) fn long(&mut self, value: i64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn double(&mut self, value: f64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn string(&mut self, value: &str) {
        self.int(value.len());
        self.0.extend(value.as_bytes());
    }

    /// A string that may be missing.
    pub(crate) fn optional(&mut self, value: Option<&str>) {
        self.flag(value.is_some());
        if let Some(value) = value {
            self.string(value);
        }
    }

    /// A list, whose items `write` writes.
    pub(crate) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        let items = items.into_iter();
        self.int(items.len());
        for item in items {
            write(self, item);
        }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reads what Java wrote. What it did not write so is a fault of the package, and a panic.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().expect("the argument is too short");
        self.0 = rest;
        *taken
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.take::<1>()[0]
    }

    pub(crate) fn flag(&mut self) -> bool {
        self.byte() != 0
    }

    pub(crate) fn int(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    pub(crate) fn long(&mut self) -> i64 {
        i64::from_le_bytes(self.take())
    }

    pub(crate) fn double(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    pub(crate) fn string(&mut self) -> &'a str {
        let length = self.int_as_length();
        let (string, rest) = self.0.split_at(length);
        self.0 = rest;
        str::from_utf8(string).expect("the package writes UTF-8")
    }

    /// A string that may be missing.
    pub(crate) fn optional(&mut self) -> Option<&'a str> {
        self.flag().then(|| self.string())
    }

    /// A list, whose items `read` reads.
    pub(crate) fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let length = self.int_as_length();
        (0..length).map(|_| read(self)).collect()
    }

    fn int_as_length(&mut self) -> usize {
        usize::try_from(self.int()).expect("a length is not negative")
    }
}
