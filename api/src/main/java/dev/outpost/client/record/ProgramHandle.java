package dev.outpost.client.record;

import java.lang.ref.ReferenceQueue;

/** Holds a value of a program that is being traced. */
final class ProgramHandle extends ValueHandle {
    private final ProgramTrace program;

    ProgramHandle(
            Object owner, ReferenceQueue<Object> queue, HandleTable table, RemoteValue value, ProgramTrace program) {
        super(owner, queue, table, value);
        this.program = program;
    }

    @Override
    public ProgramTrace program() {
        return program;
    }
}
