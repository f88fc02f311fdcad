package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.types.TensorType;
import java.util.function.Consumer;

/**
 * A place in Java that holds a tensor or none, such as the gradient of another one. A function that is traced reads and writes it; the
 * place itself changes when the program is called. Two are the same where they are equal.
 *
 * @param <T> a tensor
 */
public interface TensorRef<T> {
    /** Where it was made. */
    HostState madeIn();

    /** The storage whose write lock guards the place. */
    Storage guard();

    /** The value that it holds, or null, whatever is traced. */
    T held();

    /** Holds something else, or nothing where that is null. */
    void hold(T tensor);

    /** The type of what it holds, or null. */
    TensorType heldType();

    /** A handle of all that it holds. A tensor that had to be made for it is handed on, to be closed behind its use. */
    ValueHandle lend(Consumer<T> made);

    /** A tensor over a value that was just recorded. */
    T over(RemoteValue fresh);

    /** All of a tensor as one value, which is recorded where the tensor is only a view. */
    RemoteValue whole(T tensor);

    /** Holds a tensor over this value, which something else holds as well, or nothing where that is null. */
    void bind(RemoteValue value);

    /** Its name for people; empty where it has none. */
    String name();

    /** For people: its name, or at least what it is. */
    String label();
}
