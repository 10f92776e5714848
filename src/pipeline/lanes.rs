//! Results of work that ends in any order, handed over in the order in which it was begun, with a bound on what waits.
//!
//! Each piece of work opens a lane, puts chunks of results into it and closes it. The one reader empties the lanes in the
//! order in which they were opened. Whoever would make more wait than is allowed waits itself; only the lane that the
//! reader stands at may always hold one chunk, so that nobody waits for ever.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lanes of chunks of `T`, see the head of this page.
#[derive(Debug)]
pub(super) struct Lanes<T> {
    state: Mutex<State<T>>,
    /// There is something for the reader.
    filled: Condvar,
    /// There is room again.
    emptied: Condvar,
    most: usize,
}

#[derive(Debug)]
struct State<T> {
    lanes: VecDeque<LaneState<T>>,
    /// Number of the first lane in `lanes`.
    first: u64,
    /// Memory of all chunks that wait.
    waiting: usize,
    /// Workers that may still open lanes.
    workers: usize,
    /// The reader has gone.
    closed: bool,
}

#[derive(Debug)]
struct LaneState<T> {
    chunks: VecDeque<(Vec<T>, usize)>,
    ended: bool,
}

impl<T> Lanes<T> {
    /// Lanes for so many workers, in which no more than `most` bytes wait (and one chunk).
    pub fn new(workers: usize, most: usize) -> Lanes<T> {
        let state = State { lanes: VecDeque::new(), first: 0, waiting: 0, workers, closed: false };
        Lanes { state: Mutex::new(state), filled: Condvar::new(), emptied: Condvar::new(), most }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The mark of a worker, to be kept as long as it may open lanes.
    pub fn worker(&self) -> Worker<'_, T> {
        Worker(self)
    }

    /// The mark of the reader: when it is dropped, workers stop.
    pub fn reader(&self) -> Reader<'_, T> {
        Reader(self)
    }

    /// Opens the next lane.
    pub fn open(&self) -> Lane<'_, T> {
        let mut state = self.lock();
        state.lanes.push_back(LaneState { chunks: VecDeque::new(), ended: false });
        Lane { lanes: self, number: state.first + state.lanes.len() as u64 - 1 }
    }
}

/// Where one piece of work puts its results; closed when it is dropped.
#[derive(Debug)]
pub(super) struct Lane<'l, T> {
    lanes: &'l Lanes<T>,
    number: u64,
}

impl<T> Lane<'_, T> {
    /// Puts a chunk of so many bytes into the lane, once there is room. `Break` when nobody will take it.
    pub fn put(&self, chunk: Vec<T>, memory: usize) -> ControlFlow<()> {
        let mut state = self.lanes.lock();
        loop {
            if state.closed {
                return ControlFlow::Break(());
            }
            let index = (self.number - state.first) as usize;
            let next = index == 0 && state.lanes[0].chunks.is_empty();
            if next || state.waiting + memory <= self.lanes.most {
                state.waiting += memory;
                state.lanes[index].chunks.push_back((chunk, memory));
                if index == 0 {
                    self.lanes.filled.notify_one();
                }
                return ControlFlow::Continue(());
            }
            state = self.lanes.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Drop for Lane<'_, T> {
    fn drop(&mut self) {
        let mut state = self.lanes.lock();
        let index = (self.number - state.first) as usize;
        state.lanes[index].ended = true;
        self.lanes.filled.notify_one();
    }
}

/// A worker that may still open lanes.
#[derive(Debug)]
pub(super) struct Worker<'l, T>(&'l Lanes<T>);

impl<T> Drop for Worker<'_, T> {
    fn drop(&mut self) {
        self.0.lock().workers -= 1;
        self.0.filled.notify_one();
    }
}

/// The one that empties the lanes.
#[derive(Debug)]
pub(super) struct Reader<'l, T>(&'l Lanes<T>);

impl<T> Reader<'_, T> {
    /// The next chunk, in the order of the lanes; `None` when all work is done.
    pub fn take(&self) -> Option<Vec<T>> {
        let mut state = self.0.lock();
        loop {
            let all_done = state.workers == 0;
            match state.lanes.front_mut() {
                Some(lane) => {
                    if let Some((chunk, memory)) = lane.chunks.pop_front() {
                        state.waiting -= memory;
                        self.0.emptied.notify_all();
                        return Some(chunk);
                    }
                    if lane.ended {
                        state.lanes.pop_front();
                        state.first += 1;
                        // The lane behind it may now hold a chunk in any case.
                        self.0.emptied.notify_all();
                        continue;
                    }
                }
                None if all_done => return None,
                None => {}
            }
            state = self.0.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Drop for Reader<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        self.0.emptied.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn chunks_come_in_the_order_of_the_lanes_and_few_wait() {
        let lanes = Lanes::new(4, 40);
        let next = Mutex::new(0u64);
        let made = AtomicUsize::new(0);
        let mut taken = Vec::new();
        std::thread::scope(|scope| {
            let reader = lanes.reader();
            for _ in 0..4 {
                let worker = lanes.worker();
                let (lanes, next, made) = (&lanes, &next, &made);
                scope.spawn(move || {
                    let _worker = worker;
                    loop {
                        let mut number = next.lock().unwrap();
                        if *number == 50 {
                            return;
                        }
                        let (own, lane) = (*number, lanes.open());
                        *number += 1;
                        drop(number);
                        for part in 0..own % 5 {
                            made.fetch_add(1, Ordering::Relaxed);
                            assert!(lane.put(vec![(own, part)], 10).is_continue());
                        }
                    }
                });
            }
            while let Some(chunk) = reader.take() {
                taken.extend(chunk);
                // Four wait in all, one more in the first lane, one in the hands of each worker.
                assert!(made.load(Ordering::Relaxed) <= taken.len() + 4 + 1 + 4);
            }
        });
        let expected: Vec<(u64, u64)> = (0..50).flat_map(|own| (0..own % 5).map(move |part| (own, part))).collect();
        assert_eq!(taken, expected);
    }

    #[test]
    fn a_chunk_larger_than_the_bound_passes() {
        let lanes = Lanes::new(1, 5);
        std::thread::scope(|scope| {
            let reader = lanes.reader();
            let worker = lanes.worker();
            scope.spawn(|| {
                let _worker = worker;
                let lane = lanes.open();
                assert!(lane.put(vec![1], 100).is_continue());
                assert!(lane.put(vec![2], 100).is_continue());
            });
            assert_eq!((reader.take(), reader.take(), reader.take()), (Some(vec![1]), Some(vec![2]), None));
        });
    }

    #[test]
    fn work_stops_when_nobody_reads() {
        let lanes = Lanes::new(1, 0);
        let lane = lanes.open();
        assert!(lane.put(vec![0], 1).is_continue());
        drop(lanes.reader());
        assert!(lane.put(vec![0], 1).is_break());
    }
}
