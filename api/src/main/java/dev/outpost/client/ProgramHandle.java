package dev.outpost.client;

import java.lang.ref.ReferenceQueue;

/** Holds a value of a program that is being traced. */
final class ProgramHandle extends ValueHandle {
    private final ProgramRecorder program;

    ProgramHandle(
            Object owner,
            ReferenceQueue<Object> queue,
            RecordingState recording,
            RemoteValue value,
            ProgramRecorder program) {
        super(owner, queue, recording, value);
        this.program = program;
    }

    @Override
    ProgramRecorder program() {
        return program;
    }
}
