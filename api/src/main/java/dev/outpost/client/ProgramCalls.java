package dev.outpost.client;

import dev.outpost.types.TensorType;

/** Calls of programs over the values of a generation. Guarded by the ledger's lock. */
final class ProgramCalls {
    private final ValueEpoch epoch;
    private final OpenSegments segments;
    private final MachineSession session;

    ProgramCalls(ValueEpoch epoch) {
        this.epoch = epoch;
        this.segments = epoch.segments();
        this.session = epoch.machine();
    }

    /**
     * Has the machine run a program over values.
     *
     * @param scan null for a plain call
     */
    ProgramCalled run(ProgramRun run, RemoteScan scan) {
        TensorType[] types = run.program().outputTypes();
        long bytes = MemoryAccount.bytes(types);
        session.memory().requireHoldable(types, bytes);
        RemoteValue[] inputs = inputs(run);
        RemoteValue[] before = held(run.replaced());
        segments.sealOfThread();
        sealBefore(inputs);
        sealBefore(before);
        epoch.delivery().define(run.program());
        ProgramCalled called = new ProgramCalled(inputs, epoch.name(types, bytes));
        replace(run, called);
        boolean[] consumed = consumed(inputs);
        release(before);
        epoch.delivery().call(run, called, consumed, scan, bytes);
        epoch.sendFrees();
        return called;
    }

    private RemoteValue[] inputs(ProgramRun run) {
        return held(run.inputs());
    }

    private RemoteValue[] held(ValueHandle[] handles) {
        RemoteValue[] held = new RemoteValue[handles.length];
        for (int index = 0; index < held.length; index++) {
            held[index] = handles[index].held();
            epoch.requireOwn(held[index]);
        }
        return held;
    }

    private void sealBefore(RemoteValue[] used) {
        for (RemoteValue value : used) {
            segments.sealProducer(value);
        }
    }

    /** Binds what the call writes. */
    private void replace(ProgramRun run, ProgramCalled called) {
        for (int index = 0; index < run.replaced().length; index++) {
            RemoteValue next = called.named(run.replacements()[index]);
            next.holders++;
            epoch.ledger().exchange(run.replaced()[index], next).holders--;
        }
    }

    /** Which inputs nobody holds any more: they go with the call. */
    private boolean[] consumed(RemoteValue[] inputs) {
        boolean[] consumed = new boolean[inputs.length];
        for (int index = 0; index < consumed.length; index++) {
            RemoteValue input = inputs[index];
            consumed[index] = ValueEpoch.isUnwanted(input);
            if (consumed[index]) {
                input.dropped = true;
                epoch.account().forgotten(input);
                epoch.reads().forget(input);
            }
        }
        return consumed;
    }

    private void release(RemoteValue[] before) {
        for (RemoteValue value : before) {
            if (ValueEpoch.isUnwanted(value)) {
                value.dropped = true;
                epoch.free(value);
            }
        }
    }
}
