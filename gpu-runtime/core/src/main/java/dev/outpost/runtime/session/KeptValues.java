package dev.outpost.runtime.session;

import dev.outpost.protocol.message.ClientState;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Keep;
import dev.outpost.protocol.message.KeptSession;
import dev.outpost.protocol.message.KeptValue;
import dev.outpost.runtime.session.memory.SharedQuota;
import dev.outpost.runtime.session.run.LazyElements;
import dev.outpost.runtime.session.run.SessionValues;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.types.MalformedException;
import dev.outpost.types.TensorType;
import java.util.Collection;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The values of a session that have names, so that another client of the same owner can continue with them. They stay even if the client
 * frees them. The worker of the session uses this object; when it has stopped, the worker of the session that takes over.
 */
final class KeptValues {
    private static final int MAX_NAMES = 100_000;
    private static final int MAX_NAME = 200;

    private record Kept(KeptValue name, Value value) {}

    private final SequencedMap<String, Kept> byName = new TreeMap<>();
    private ClientState client = ClientState.getDefaultInstance();
    private boolean isClosed;
    private boolean isClaimed;

    /**
     * Gives values names, in place of the earlier values with these names.
     *
     * @param missing the fault in place of values that could not be computed
     */
    void keep(Keep message, SessionValues values, Optional<Fault> missing) {
        for (KeptValue name : message.getValuesList()) {
            Value value = values.get(name.getValue());
            boolean isDeferred = value instanceof LazyElements && missing.isPresent();
            put(name, isDeferred ? new Value.Poisoned(missing.get(), value.type()) : value.retain());
        }
        message.getForgottenList().forEach(this::forget);
        client = message.getClient();
    }

    private void put(KeptValue name, Value value) {
        if (name.getName().isEmpty() || name.getName().length() > MAX_NAME || byName.size() >= MAX_NAMES) {
            value.release();
            throw new MalformedException(
                    "a name has 1 to " + MAX_NAME + " characters, and a session at most " + MAX_NAMES + " names");
        }
        forget(name.getName());
        byName.put(name.getName(), new Kept(typed(name, value.type()), value));
    }

    private static KeptValue typed(KeptValue name, TensorType type) {
        KeptValue.Builder typed =
                name.toBuilder().setDtype(type.dtype().code()).clearShape().clearFreed();
        for (int size = 0; size < type.shape().rank(); size++) {
            typed.addShape(type.shape().size(size));
        }
        return typed.build();
    }

    private void forget(String name) {
        Kept before = byName.remove(name);
        if (before != null) {
            before.value().release();
        }
    }

    /** Returns the names with the types of their values. */
    Collection<KeptValue> names() {
        return byName.values().stream().map(Kept::name).toList();
    }

    /** Returns the value of a name. */
    Value value(KeptValue name) {
        return byName.get(name.getName()).value();
    }

    /** Returns the answer to the client that continues. */
    KeptSession session() {
        return KeptSession.newBuilder()
                .setFound(true)
                .addAllValues(names())
                .setClient(client)
                .build();
    }

    /**
     * Moves the values of a session that has ended to another session, under the same ids.
     *
     * @param quota the quota of the other session, which is charged for them
     */
    synchronized void moveTo(KeptValues next, SessionValues values, SharedQuota.Part quota) {
        for (Kept kept : byName.values()) {
            long id = kept.name().getValue();
            if (kept.value() instanceof Value.Present present) {
                present.storage().chargeTo(quota);
            }
            if (!values.has(id)) {
                values.define(id, kept.value().retain());
            }
            next.put(kept.name(), kept.value());
        }
        byName.clear();
        next.client = client;
    }

    /** Claims the values for another session, so that they outlive this session. Returns false if they are gone. */
    synchronized boolean claim() {
        isClaimed |= !isClosed;
        return isClaimed;
    }

    /** Releases the values at the end of the session, unless another session has claimed them. */
    synchronized void close() {
        isClosed = true;
        if (!isClaimed) {
            releaseAll();
        }
    }

    /** Releases values that another session has claimed and not taken. */
    synchronized void abandon() {
        releaseAll();
    }

    private void releaseAll() {
        byName.values().forEach(kept -> kept.value().release());
        byName.clear();
    }
}
