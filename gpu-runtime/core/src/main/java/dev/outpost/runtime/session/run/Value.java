package dev.outpost.runtime.session.run;

import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.TensorType;

/** A value of a session: its elements, how they are computed, or why there are none. */
public sealed interface Value permits Value.Present, Value.Poisoned, LazyElements {
    TensorType type();

    /** Adds an owner to the storage. */
    Value retain();

    /** One owner leaves. */
    void release();

    /** Elements in a storage that other values may share. */
    record Present(Array array, RefCountedStorage storage) implements Value {
        /** All of a storage, of which the caller is an owner. */
        static Present whole(RefCountedStorage storage, TensorType type) {
            return new Present(Array.contiguous(storage.buffer(), type.shape()), storage);
        }

        /** Whether nothing but this value lies in its storage, and nobody else reads there. */
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

    /** A fault stands where the elements should be. Values lost to one fault hold the same instance. */
    record Poisoned(Fault fault, TensorType type) implements Value {
        @Override
        public Poisoned retain() {
            return this;
        }

        @Override
        public void release() {}
    }
}
