package dev.outpost.client;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;

/**
 * Holds a value for as long as some object lives: until the handle is closed, or the object is collected. The session
 * keeps all open handles in a linked list, guarded by its lock.
 */
public final class ValueHandle extends PhantomReference<Object> {
    private final ClientSession session;
    ValueHandle previous;
    ValueHandle next;
    private volatile RemoteValue value;
    private volatile String label = "";

    ValueHandle(Object owner, ReferenceQueue<Object> queue, ClientSession session, RemoteValue value) {
        super(owner, queue);
        this.session = session;
        this.value = value;
    }

    public ClientSession session() {
        return session;
    }

    /** The value that is held now, or null when the handle is closed. */
    public RemoteValue value() {
        return value;
    }

    /** Holds another value instead; the one before dies unless something else holds it. */
    public void rebind(RemoteValue newValue) {
        session.rebind(this, newValue);
    }

    /** Says what people call the holder, for faults that took its value. */
    public void label(String newLabel) {
        label = newLabel;
    }

    String label() {
        return label;
    }

    /** Lets go. Closing again does nothing. */
    public void close() {
        session.close(this, true);
    }

    RemoteValue exchange(RemoteValue newValue) {
        RemoteValue before = value;
        value = newValue;
        return before;
    }
}
