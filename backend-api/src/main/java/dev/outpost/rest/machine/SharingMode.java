package dev.outpost.rest.machine;

/** How a machine is used. */
public enum SharingMode {
    /** Nothing of its memory is promised to any grant. */
    EXCLUSIVE,

    /** Each grant has a part of its memory, which is there whatever the others do. */
    SHARED
}
