package dev.outpost.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PatienceTest {
    private static final long MINUTE = 600 * Patience.SLICE_NANOS;

    /** Ends its waits the given number of nanoseconds early, or late if it is negative. */
    private record Ending(long unspent) implements Condition {
        @Override
        public long awaitNanos(long nanos) {
            return unspent;
        }

        @Override
        public void await() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void awaitUninterruptibly() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean await(long time, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void signal() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void signalAll() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void aWaitTakesOneSlice() throws InterruptedException {
        assertEquals(MINUTE - Patience.SLICE_NANOS, Patience.awaitNanos(new Ending(0), MINUTE));
        assertEquals(0, Patience.awaitNanos(new Ending(0), 7));
    }

    @Test
    void aWaitThatIsWokenTakesWhatItWaited() throws InterruptedException {
        assertEquals(MINUTE - Patience.SLICE_NANOS + 5, Patience.awaitNanos(new Ending(5), MINUTE));
    }

    /** As if the process had been stopped for an hour. */
    @Test
    void aStandstillTakesOneSlice() throws InterruptedException {
        assertEquals(MINUTE - Patience.SLICE_NANOS, Patience.awaitNanos(new Ending(-60 * MINUTE), MINUTE));
    }

    @Test
    void timeIsOverInTheEnd() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Condition never = lock.newCondition();
        long left = 3 * Patience.SLICE_NANOS;
        int waits = 0;
        lock.lock();
        try {
            while (left > 0) {
                left = Patience.awaitNanos(never, left);
                waits++;
            }
        } finally {
            lock.unlock();
        }
        assertTrue(waits >= 3, waits + " waits");
    }
}
