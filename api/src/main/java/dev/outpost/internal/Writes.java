package dev.outpost.internal;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes writes in place atomic. A write reads a storage, computes a new value and binds it; a value that another thread bound in between
 * would be lost. So each storage has a write lock that a thread holds from the read to the bind. Reads do not take the lock: they see the
 * value before or after a write.
 *
 * <p>No deadlock is possible while these rules hold:
 *
 * <ul>
 *   <li>A thread that holds a write lock may take the ledger's lock, but not the other way round.
 *   <li>A write that changes several storages takes their locks {@linkplain #withLocks together}, in the order of their numbers.
 *   <li>A thread that holds a write lock does not wait for another thread of the program. It may wait until the machine has room, or until
 *       a scan on a group has sent its runs. Neither of these takes a write lock.
 * </ul>
 */
public final class Writes {
    private Writes() {}

    /** Runs a body that writes several storages. Writes of other threads to them come before or after the whole body. */
    public static <T> T withLocks(List<? extends TensorState> written, Supplier<T> body) {
        Cell[] storages = new Cell[written.size()];
        Arrays.setAll(storages, index -> States.cell(written.get(index)));
        return withLocks(storages, body);
    }

    /** Same as {@link #withLocks(List, Supplier)}. A storage may occur more than once. */
    public static <T> T withLocks(Cell[] storages, Supplier<T> body) {
        Cell.WriteLock[] locks = new Cell.WriteLock[storages.length];
        Arrays.setAll(locks, index -> storages[index].writeLock());
        Arrays.sort(locks, Comparator.comparingLong(lock -> lock.number));
        int held = 0;
        try {
            for (; held < locks.length; held++) {
                locks[held].lock();
            }
            return body.get();
        } finally {
            while (held > 0) {
                locks[--held].unlock();
            }
        }
    }
}
