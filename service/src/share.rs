//! The share of an account in what all accounts use together.
//!
//! The share is a multiple of what the account leaves to others. So something is left for an
//! account without a share, whatever the number of accounts. Choudhury and Hahne, "Dynamic Queue
//! Length Thresholds for Shared-Memory Packet Switches", IEEE/ACM Transactions on Networking, 1998.

const MULTIPLE: f64 = 3.0;

/// Whether an account that has some of it may have more, of what is left. An account without any
/// may have `first` in any case, if as much is left.
pub(crate) fn allows(own: f64, more: f64, left: f64, first: f64) -> bool {
    own + more <= MULTIPLE * (left - more) || (own == 0.0 && more <= first.min(left))
}

/// The most that an account may have while no other has anything: three quarters.
pub(crate) fn alone(all: f64) -> f64 {
    all * MULTIPLE / (MULTIPLE + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_that_take_all_they_can_leave_something_to_others() {
        for (all, expected) in [
            (1, [1, 0, 0, 0].as_slice()),
            (2, &[1, 1, 0, 0]),
            (3, &[2, 1, 0, 0]),
            (16, &[12, 3, 1, 0]),
            (64, &[48, 12, 3, 1]),
            (256, &[192, 48, 12, 3, 1]),
        ] {
            let mut left = all;
            let taken: Vec<_> = expected
                .iter()
                .map(|_| {
                    let mut own = 0;
                    while allows(own.into(), 1.0, left.into(), 1.0) {
                        (own, left) = (own + 1, left - 1);
                    }
                    own
                })
                .collect();
            assert_eq!(taken, expected, "{all}");
        }
    }
}
