package dev.outpost.runtime.session.run;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.memory.SharedQuota;
import dev.outpost.runtime.session.schedule.SingleWriterLong;
import dev.outpost.types.MalformedException;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A session's values by id. Refuses messages of a client that names an unknown id, or defines an id twice. Used by
 * the worker thread alone, except {@link #size}.
 */
public final class SessionValues {
    public static final int MAX = Message.MAX_VALUES;

    /** The number of values that are reserved at once, which is faster than single reservations. */
    private static final int GRANT = 256;

    private final SharedQuota.Part share;
    private final LimitCounters limitCounters;
    private final Map<Long, Value> byId = new HashMap<>();
    /** The ids of poisoned values, by fault. All values that were poisoned by one fault share its instance. */
    private final Map<Fault, SortedSet<Long>> lost = new IdentityHashMap<>();

    private final SingleWriterLong count = new SingleWriterLong();

    /** @param share the session's share of the number of values */
    public SessionValues(SharedQuota.Part share, LimitCounters limitCounters) {
        this.share = share;
        this.limitCounters = limitCounters;
    }

    public Value get(long id) {
        Value value = byId.get(id);
        if (value == null) {
            throw unknown(id);
        }
        return value;
    }

    /**
     * Defines a value, and takes over the caller's ownership. The number of values is limited too, because values
     * without elements use no quota.
     */
    public void define(long id, Value value) {
        if (byId.size() >= share.used() && !share.reserve(GRANT)) {
            value.release();
            throw limitCounters.refuse(RuntimeLimit.VALUES, obstacle());
        }
        put(id, value);
        count.set(byId.size());
    }

    /** Replaces a value that the caller has released, and takes over the caller's ownership of the new one. */
    public void replace(long id, Value value) {
        put(id, value);
    }

    private void put(long id, Value value) {
        forgetLoss(id, byId.put(id, value));
        if (value instanceof Value.Poisoned poisoned) {
            lost.computeIfAbsent(poisoned.fault(), _ -> new TreeSet<>()).add(id);
        }
    }

    private void forgetLoss(long id, Value value) {
        if (value instanceof Value.Poisoned poisoned) {
            lost.computeIfPresent(poisoned.fault(), (_, ids) -> ids.remove(id) && ids.isEmpty() ? null : ids);
        }
    }

    /** Removes a value, and hands its ownership to the caller. */
    public Value remove(long id) {
        Value value = byId.remove(id);
        if (value == null) {
            throw unknown(id);
        }
        forgetLoss(id, value);
        count.set(byId.size());
        return value;
    }

    /** Returns true if there is a value of this id. */
    public boolean has(long id) {
        return byId.containsKey(id);
    }

    public void requireUndefined(long id) {
        if (byId.containsKey(id)) {
            throw new MalformedException("value %" + id + " exists already");
        }
    }

    /** Returns the ids of all values, in ascending order. */
    public long[] ids() {
        return byId.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** Returns the number of values. Callable from any thread. */
    public long size() {
        return count.get();
    }

    /** Returns the ids of values that a fault poisoned, at most {@code max} of them, in ascending order. */
    public long[] lostTo(Fault fault, int max) {
        return lost.getOrDefault(fault, Collections.emptySortedSet()).stream()
                .mapToLong(Long::longValue)
                .limit(max)
                .toArray();
    }

    public void clear() {
        byId.values().forEach(Value::release);
        byId.clear();
        lost.clear();
        count.set(0);
        share.release(share.used());
    }

    private String obstacle() {
        return byId.size() >= share.most()
                ? "the session has " + share.most() + " values already"
                : "all sessions together have " + share.mostOfAll() + " values already";
    }

    private static MalformedException unknown(long id) {
        return new MalformedException("value %" + id + " is unknown to the session");
    }
}
