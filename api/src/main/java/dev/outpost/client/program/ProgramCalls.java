package dev.outpost.client.program;

import dev.outpost.client.record.MemoryAccount;
import dev.outpost.client.record.OpenScans;
import dev.outpost.client.record.OpenSegments;
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.ValueEpoch;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.types.TensorType;

/** Records calls of programs over recorded values. Thread-safe. */
public final class ProgramCalls {
    private final RecordingState recording;
    private ProgramDelivery delivery;

    public ProgramCalls(RecordingState recording) {
        this.recording = recording;
    }

    /** Sends calls to another delivery from now on. Called with the recording's lock held, when an epoch begins. */
    public void begin(ProgramDelivery next) {
        delivery = next;
    }

    /** Begins to trace a program for a machine or a group. */
    public ProgramRecorder trace(Recorder home, TraceStart start) {
        return recording.guarded(() -> new ProgramRecorder(home, recording.epoch(), recording.traces(), start));
    }

    /** Tells the machine that it need not keep the program. */
    public void drop(RemoteProgram program) {
        recording.guarded(() -> {
            delivery.drop(program);
            return null;
        });
    }

    /**
     * Makes the machine run a program.
     *
     * @param scan null for a plain call
     * @return null if the machine was paused before the scan began; then another session must run it
     */
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        return recording.guarded(() -> {
            recording.awaitMachine();
            OpenScans scans = recording.scans();
            while (scans.compute((Object[]) run.inputs()) || scans.compute((Object[]) run.replaced())) {
                scans.awaitEnd();
                recording.awaitMachine();
            }
            return scan == null || scan.begin() ? run(recording.epoch(), run, scan) : null;
        });
    }

    private ProgramCalled run(ValueEpoch epoch, ProgramRun run, RemoteScan scan) {
        TensorType[] types = run.program().outputTypes();
        long bytes = MemoryAccount.bytes(types);
        epoch.host().memory().requireHoldable(types, bytes);
        RemoteValue[] inputs = held(epoch, run.inputs());
        RemoteValue[] before = held(epoch, run.replaced());
        OpenSegments segments = epoch.segments();
        segments.sealOfThread();
        sealProducers(segments, inputs);
        sealProducers(segments, before);
        delivery.define(run.program());
        ProgramCalled called = new ProgramCalled(inputs, epoch.name(types, bytes));
        replace(run, called);
        boolean[] consumed = consumed(epoch, inputs);
        for (RemoteValue value : before) {
            epoch.freeIfUnheld(value);
        }
        delivery.call(run, called, consumed, scan, bytes);
        epoch.sendFrees();
        return called;
    }

    private static RemoteValue[] held(ValueEpoch epoch, ValueHandle[] handles) {
        RemoteValue[] held = new RemoteValue[handles.length];
        for (int index = 0; index < held.length; index++) {
            held[index] = handles[index].held();
            epoch.requireOwn(held[index]);
        }
        return held;
    }

    private static void sealProducers(OpenSegments segments, RemoteValue[] used) {
        for (RemoteValue value : used) {
            segments.sealProducer(value);
        }
    }

    /** Makes the replaced handles hold the new values. */
    private void replace(ProgramRun run, ProgramCalled called) {
        for (int index = 0; index < run.replaced().length; index++) {
            recording.replace(run.replaced()[index], called.named(run.replacements()[index]));
        }
    }

    /** Returns for each input true if nothing holds the value. Such a value ends with the call. */
    private static boolean[] consumed(ValueEpoch epoch, RemoteValue[] inputs) {
        boolean[] consumed = new boolean[inputs.length];
        for (int index = 0; index < consumed.length; index++) {
            consumed[index] = epoch.consumeIfUnheld(inputs[index]);
        }
        return consumed;
    }
}
