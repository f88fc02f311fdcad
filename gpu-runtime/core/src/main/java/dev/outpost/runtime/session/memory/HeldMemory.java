package dev.outpost.runtime.session.memory;

/** Memory of a session that another thread holds for a limited time, for example to write it to a store. */
@FunctionalInterface
public interface HeldMemory {
    /** No memory is held. */
    HeldMemory NONE = () -> false;

    /** Waits until some of the memory was released. Returns false if there is nothing to wait for, or this thread must not wait. */
    boolean awaitRelease();
}
