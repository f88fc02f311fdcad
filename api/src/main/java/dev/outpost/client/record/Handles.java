package dev.outpost.client.record;

import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The open handles of a ledger, and the handles whose owners were collected. The handles are in a linked list, so opening and closing one
 * costs next to nothing. Guarded by the ledger's lock.
 */
final class Handles {
    private static final int FEW = 1024;

    private final HandleTable table;
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private ValueHandle first;
    /** Null unless a fault looked up handles lately. */
    private HandleIndex index;

    /** The number of changes to handles since the last lookup by id. */
    private long changes;

    Handles(HandleTable table) {
        this.table = table;
    }

    ValueHandle open(Object owner, RemoteValue value) {
        ProgramTrace program = value.program();
        ValueHandle handle = program == null
                ? new ValueHandle(owner, collected, table, value)
                : new ProgramHandle(owner, collected, table, value, program);
        handle.next = first;
        if (first != null) {
            first.previous = handle;
        }
        first = handle;
        if (index != null && program == null) {
            index.add(handle, value);
            changed();
        }
        return handle;
    }

    void remove(ValueHandle handle) {
        if (handle.previous != null) {
            handle.previous.next = handle.next;
        } else {
            first = handle.next;
        }
        if (handle.next != null) {
            handle.next.previous = handle.previous;
        }
        handle.clear();
    }

    /** Returns a handle whose owner was collected before it closed the handle, or null. */
    ValueHandle pollCollected() {
        return (ValueHandle) collected.poll();
    }

    /** Makes a handle hold another value; null for none. Returns the value before. */
    RemoteValue exchange(ValueHandle handle, RemoteValue value) {
        RemoteValue before = handle.exchange(value);
        if (index != null && handle.program() == null) {
            index.remove(handle, before);
            index.add(handle, value);
            changed();
        }
        return before;
    }

    /**
     * Drops the index if handles have changed often since the last lookup. Only faults look handles up by id, so an index that is not used
     * costs nothing more.
     */
    private void changed() {
        changes++;
        if (changes > index.size() + FEW) {
            index = null;
        }
    }

    /** Returns the handles that hold one of these values, in the order of the values. */
    List<ValueHandle> holding(long[] ids) {
        if (index == null) {
            index = new HandleIndex();
            all().forEach(handle -> index.add(handle, handle.value()));
        }
        changes = 0;
        return Arrays.stream(ids)
                .boxed()
                .flatMap(id -> index.holding(id).stream())
                .toList();
    }

    /** Returns the handles that hold a value of a machine, oldest first. */
    List<ValueHandle> all() {
        List<ValueHandle> open = new ArrayList<>();
        for (ValueHandle handle = first; handle != null; handle = handle.next) {
            if (handle.value() != null && handle.program() == null) {
                open.add(handle);
            }
        }
        Collections.reverse(open);
        return open;
    }
}
