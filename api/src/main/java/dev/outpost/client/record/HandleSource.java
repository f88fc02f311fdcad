package dev.outpost.client.record;

/** Opens handles for storages that begin with the value of another storage. */
public interface HandleSource {
    /** A handle for another storage over what this one holds now. */
    ValueHandle share(Object owner, Storage source);
}
