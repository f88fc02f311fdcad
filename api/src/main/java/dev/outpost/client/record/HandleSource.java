package dev.outpost.client.record;

/** Opens handles for storages that begin with the value of another storage. */
public interface HandleSource {
    /** Opens a handle for another storage, over the value that {@code source} holds now. */
    ValueHandle share(Object owner, Storage source);
}
