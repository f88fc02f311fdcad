package dev.outpost.client;

import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The open handles of a ledger, in a list of their own so that opening and closing one costs next to nothing, and those
 * whose owners were collected. Guarded by the ledger's lock.
 */
final class Handles {
    private final Ledger ledger;
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private ValueHandle first;

    Handles(Ledger ledger) {
        this.ledger = ledger;
    }

    ValueHandle open(Object owner, RemoteValue value) {
        ProgramRecorder program = value.program();
        ValueHandle handle = program == null
                ? new ValueHandle(owner, collected, ledger, value)
                : new ProgramHandle(owner, collected, ledger, value, program);
        handle.next = first;
        if (first != null) {
            first.previous = handle;
        }
        first = handle;
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

    /** A handle whose owner was collected without closing it, or null. */
    ValueHandle pollCollected() {
        return (ValueHandle) collected.poll();
    }

    /** Those that hold one of these values, oldest first. */
    List<ValueHandle> holding(long[] ids) {
        Set<Long> wanted = new HashSet<>();
        Arrays.stream(ids).forEach(wanted::add);
        return all().stream()
                .filter(handle -> wanted.contains(handle.value().id()))
                .toList();
    }

    /** Those that hold a value, oldest first. */
    List<ValueHandle> all() {
        List<ValueHandle> open = new ArrayList<>();
        for (ValueHandle handle = first; handle != null; handle = handle.next) {
            if (handle.value() != null) {
                open.add(handle);
            }
        }
        Collections.reverse(open);
        return open;
    }
}
