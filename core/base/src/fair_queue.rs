//! A queue that several tenants share fairly: each gets a turn before any gets another.

use std::collections::{BTreeMap, VecDeque};

/// One first-in-first-out line per tenant. The tenants take turns, however long their lines are.
///
/// Turns are counted in rounds; a tenant that joins gets a turn in the current round. This is
/// start-time fair queueing with items of equal cost: Goyal, Vin and Cheng, "Start-time Fair
/// Queueing", SIGCOMM 1996.
#[derive(Clone, Debug)]
pub struct FairQueue<K, T> {
    /// The round of the item taken last.
    round: u64,
    arrivals: u64,
    lines: BTreeMap<K, Line<T>>,
}

#[derive(Clone, Debug)]
struct Line<T> {
    /// The round of the line's first item, or of its next one if the line is empty.
    round: u64,
    /// Items with their arrival numbers.
    items: VecDeque<(u64, T)>,
}

impl<K: Ord + Clone, T> FairQueue<K, T> {
    /// An empty queue.
    pub const fn new() -> Self {
        Self { round: 0, arrivals: 0, lines: BTreeMap::new() }
    }

    /// Adds an item to a tenant's line.
    pub fn push(&mut self, tenant: K, item: T) {
        let line = self.lines.entry(tenant).or_insert(Line { round: 0, items: VecDeque::new() });
        if line.items.is_empty() {
            line.round = line.round.max(self.round);
        }
        line.items.push_back((self.arrivals, item));
        self.arrivals += 1;
    }

    /// The item whose turn is next.
    pub fn first(&self) -> Option<&T> {
        self.lines[self.next()?].items.front().map(|(_, item)| item)
    }

    /// Takes the item whose turn is next.
    pub fn pop(&mut self) -> Option<T> {
        let tenant = self.next()?.clone();
        let line = self.lines.get_mut(&tenant)?;
        let (_, item) = line.items.pop_front()?;
        self.round = line.round;
        line.round += 1;
        self.forget();
        Some(item)
    }

    /// The tenant whose turn is next.
    fn next(&self) -> Option<&K> {
        let firsts = self.lines.iter().filter_map(|(tenant, line)| {
            let (arrival, _) = line.items.front()?;
            Some((line.round, arrival, tenant))
        });
        firsts.min().map(|(_, _, tenant)| tenant)
    }

    /// Removes the items for which `is_gone` is true, at any position. This uses up nobody's turn.
    pub fn remove(&mut self, is_gone: impl Fn(&T) -> bool) {
        self.lines.values_mut().for_each(|line| line.items.retain(|(_, item)| !is_gone(item)));
        self.forget();
    }

    /// The items whose turn comes before a new item of this tenant.
    pub fn before(&self, tenant: &K) -> impl Iterator<Item = &T> {
        let own = self.lines.get(tenant);
        let round = own.map_or(0, |line| line.round).max(self.round)
            + own.map_or(0, |line| line.items.len() as u64);
        let turns = move |line: &Line<T>| (round + 1).saturating_sub(line.round) as usize;
        self.lines
            .values()
            .flat_map(move |line| line.items.iter().take(turns(line)).map(|(_, item)| item))
    }

    /// The number of waiting items.
    pub fn len(&self) -> usize {
        self.lines.values().map(|line| line.items.len()).sum()
    }

    /// Whether no item waits.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// Drops empty lines, unless their tenant has already had its turn in the current round.
    fn forget(&mut self) {
        let round = self.round;
        self.lines.retain(|_, line| !line.items.is_empty() || line.round > round);
    }
}

impl<K: Ord + Clone, T> Default for FairQueue<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(items: &[&'static str]) -> FairQueue<char, &'static str> {
        let mut queue = FairQueue::new();
        items.iter().for_each(|item| push(&mut queue, item));
        queue
    }

    /// Pushes an item whose first letter names its tenant.
    fn push(queue: &mut FairQueue<char, &'static str>, item: &'static str) {
        queue.push(item.chars().next().unwrap(), item);
    }

    fn rest(mut queue: FairQueue<char, &'static str>) -> Vec<&'static str> {
        std::iter::from_fn(move || queue.pop()).collect()
    }

    #[test]
    fn tenants_take_turns_and_each_keeps_its_order() {
        let queue = queue(&["a1", "a2", "a3", "a4", "b1", "c1", "b2"]);
        assert_eq!((queue.len(), queue.first()), (7, Some(&"a1")));
        assert_eq!(rest(queue), ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
    }

    #[test]
    fn who_joins_waits_for_nobodys_second_turn() {
        let mut queue = queue(&["a1", "a2", "a3", "b1"]);
        assert_eq!(queue.pop(), Some("a1"));
        push(&mut queue, "c1");
        assert_eq!(queue.pop(), Some("b1"));
        // A tenant that had its turn in this round does not come before the others when it returns.
        push(&mut queue, "b2");
        assert_eq!(rest(queue), ["c1", "a2", "b2", "a3"]);
    }

    #[test]
    fn a_tenant_that_was_away_has_saved_nothing() {
        let mut queue = queue(&["a1", "b1", "a2", "a3", "a4", "a5"]);
        assert_eq!([(); 4].map(|()| queue.pop().unwrap()), ["a1", "b1", "a2", "a3"]);
        ["b2", "b3", "b4"].iter().for_each(|item| push(&mut queue, item));
        assert_eq!(rest(queue), ["b2", "a4", "b3", "a5", "b4"]);
    }

    #[test]
    fn what_leaves_costs_no_turn() {
        let mut queue = queue(&["a1", "b1", "b2", "a2", "a3"]);
        queue.remove(|item| ["a1", "a2"].contains(item));
        assert_eq!(queue.len(), 3);
        push(&mut queue, "b3");
        assert_eq!(rest(queue), ["b1", "a3", "b2", "b3"]);
    }

    #[test]
    fn what_is_before_a_new_item_is_known() {
        let mut queue = queue(&["a1", "a2", "a3", "b1", "b2"]);
        loop {
            for new in ["a-new", "b-new", "c-new"] {
                let tenant = new.chars().next().unwrap();
                let mut later = queue.clone();
                push(&mut later, new);
                let mut before: Vec<_> =
                    rest(later).into_iter().take_while(|item| *item != new).collect();
                before.sort_unstable();
                assert_eq!(queue.before(&tenant).copied().collect::<Vec<_>>(), before, "{new}");
            }
            if queue.pop().is_none() {
                break;
            }
        }
    }

    #[test]
    fn tenants_that_have_gone_are_forgotten() {
        let mut queue = FairQueue::new();
        for tenant in 0..1000 {
            queue.push(tenant, ());
            queue.push(tenant, ());
            queue.pop();
            queue.pop();
        }
        assert!(queue.is_empty() && queue.lines.len() <= 2, "{}", queue.lines.len());
    }
}
