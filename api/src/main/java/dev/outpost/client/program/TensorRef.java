package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.types.TensorType;
import java.util.function.Consumer;

/**
 * A place in Java that holds a tensor or none, such as the gradient of another tensor. A traced function reads and writes the place, but
 * the place itself changes only when the program is called. Places are compared by {@code equals}.
 *
 * @param <T> a tensor
 */
public interface TensorRef<T> {
    /** Returns the host state in which the place was made. */
    HostState madeIn();

    /** Returns the storage whose write lock guards the place. */
    Storage guard();

    /** Returns the tensor that the place holds, or null, even while a program is traced. */
    T held();

    /** Makes the place hold another tensor; null for none. */
    void hold(T tensor);

    /** Returns the type of the held tensor, or null. */
    TensorType heldType();

    /**
     * Returns a handle of the whole held tensor. If a tensor had to be made for it, {@code made} gets that tensor, to close it after use.
     */
    ValueHandle lend(Consumer<T> made);

    /** Makes a tensor over a value that was just recorded. */
    T over(RemoteValue fresh);

    /** Returns a whole tensor as one value. If the tensor is only a view, a copy is recorded. */
    RemoteValue whole(T tensor);

    /** Makes the place hold a tensor over this value, which something else holds as well; null for none. */
    void bind(RemoteValue value);

    /** Returns the name in messages; empty if it has none. */
    String name();

    /** Returns the name in messages, or else a description. */
    String label();
}
