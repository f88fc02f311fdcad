package dev.outpost.runtime.session.run;

import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.TensorType;

/** A value of a session: its elements, the way to compute them, or the fault that prevents them. */
public sealed interface Value permits Value.Present, Value.Poisoned, LazyElements {
    TensorType type();

    /** Adds an owner. */
    Value retain();

    /** Removes an owner. */
    void release();

    /** Elements in a storage that other values may share. */
    record Present(Array array, RefCountedStorage storage) implements Value {
        /** Returns a value that covers a whole storage. It takes over the caller's ownership. */
        static Present whole(RefCountedStorage storage, TensorType type) {
            return new Present(Array.contiguous(storage.buffer(), type.shape()), storage);
        }

        /** Returns true if the value covers its whole storage and is its only owner. */
        boolean isAllThereIs() {
            return storage.isSole() && array.layout().covers(storage.buffer().elements());
        }

        @Override
        public TensorType type() {
            return array.type();
        }

        @Override
        public Present retain() {
            storage.retain();
            return this;
        }

        @Override
        public void release() {
            storage.release();
        }
    }

    /** A fault in place of the elements. Values that one fault poisoned hold the same instance. */
    record Poisoned(Fault fault, TensorType type) implements Value {
        @Override
        public Poisoned retain() {
            return this;
        }

        @Override
        public void release() {}
    }
}
