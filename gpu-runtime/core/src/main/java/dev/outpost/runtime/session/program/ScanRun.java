package dev.outpost.runtime.session.program;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.session.fetch.FetchHandler;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.run.KernelLauncher;
import dev.outpost.runtime.session.run.LazyElements;
import dev.outpost.runtime.session.run.LoadedProgram;
import dev.outpost.runtime.session.run.SegmentExecutor;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One call of a program: a single run, or all runs of a scan. Each run takes over one owner of each input, so that
 * carried values are freed as early as in a segment.
 *
 * <p>Invariant: this object owns the values in {@code held} and {@code outputs}.
 */
public final class ScanRun {
    private final SessionContext context;
    private final LoadedProgram program;
    private final ProgramCall call;
    private final ProgramSignature signature;
    private final long number;
    private final Value[] held;
    private Value[] outputs = {};
    private long iteration;

    /** @param number the number of the scan, or 0 if the call is none */
    public ScanRun(SessionContext context, LoadedProgram program, ProgramCall call, long number) {
        this.context = context;
        this.program = program;
        this.call = call;
        this.signature = program.signature();
        this.number = number;
        this.held = new Value[program.code().segment().structure().inputCount()];
        if (isToldOf()) {
            context.scanRequests().begin(number, call.granted());
        }
    }

    public long number() {
        return number;
    }

    public boolean isToldOf() {
        return number != 0;
    }

    /** Returns the number of finished runs. */
    public long iterations() {
        return iteration;
    }

    /**
     * Takes the inputs from the session. If several inputs have the same id and one of them consumes the value, the
     * consuming input is taken last.
     */
    public void takeInputs() {
        take(false);
        take(true);
    }

    private void take(boolean consumed) {
        int bound = 0;
        for (int input = 0; input < held.length; input++) {
            if (input == signature.iterationInput()) {
                continue;
            }
            if (call.consumed()[bound] == consumed) {
                long id = call.inputs()[bound];
                held[input] = consumed
                        ? context.values().remove(id)
                        : context.values().get(id).retain();
            }
            bound++;
        }
    }

    /** Runs the program once. */
    public void compute(SegmentExecutor executor, KernelLauncher launcher) throws InterruptedException {
        if (isToldOf()) {
            // Waits for the time slice even if nothing is computed, so that a long scan lets other sessions run.
            launcher.awaitTurn();
        }
        if (signature.iterationInput() != ProgramSignature.NONE) {
            held[signature.iterationInput()] = iterationValue();
        }
        TensorType[] types = new TensorType[held.length];
        for (int input = 0; input < held.length; input++) {
            types[input] = held[input].type();
        }
        Graph graph = program.graph(types);
        Value[] given = handedOver();
        String place = isToldOf() ? " in iteration " + iteration : "";
        outputs = executor.run(program, program.at(graph, call, iteration), given, place);
        iteration++;
        if (isToldOf()) {
            context.scanRequests().done(number, iteration);
        }
    }

    /**
     * Returns the inputs of the next run. The run becomes the owner of the carried values and the iteration number, and the last run
     * becomes the owner of all values. Before the last run, this object also stays an owner of the other values.
     */
    private Value[] handedOver() {
        Value[] given = held.clone();
        boolean isLast = call.iterations() - iteration == 1;
        boolean[] leaves = new boolean[held.length];
        signature.carries().forEach(carry -> leaves[carry.input()] = true);
        for (int input = 0; input < held.length; input++) {
            if (isLast || leaves[input] || input == signature.iterationInput()) {
                held[input] = null;
            } else {
                given[input].retain();
            }
        }
        return given;
    }

    private Value iterationValue() {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(iteration)
                .array();
        try {
            RefCountedStorage storage = context.memory().store(LoadedProgram.ITERATION, bytes);
            return new Value.Present(Array.contiguous(storage.buffer(), LoadedProgram.ITERATION.shape()), storage);
        } catch (OutpostException failure) {
            return new Value.Poisoned(
                    FaultMessages.of(failure.kind(), "scan: " + failure.getMessage() + " in iteration " + iteration),
                    LoadedProgram.ITERATION);
        }
    }

    /** Sends the outputs that the latest run emits, once the client has allowed them. */
    public void emit(FetchHandler fetchHandler) throws InterruptedException {
        int[] emitted = signature.emitted();
        if (emitted.length == 0) {
            return;
        }
        if (!context.scanRequests().isGranted(number, iteration)) {
            context.slice().release();
            context.scanRequests().awaitGranted(number, iteration);
        }
        long fetch = call.firstFetch() + (iteration - 1) * emitted.length;
        for (int output : emitted) {
            fetchHandler.emit(fetch++, outputs[output]);
        }
    }

    /** Prepares the next run from the outputs of the latest run. Returns false if no run follows. */
    public boolean advance() {
        if (iteration >= call.iterations()
                || readStopCondition()
                || isToldOf() && context.scanRequests().isCancelled(number)) {
            return false;
        }
        for (ProgramSignature.Carry carry : signature.carries()) {
            held[carry.input()] = outputs[carry.output()].retain();
        }
        releaseOutputs();
        return true;
    }

    /** Returns true if the scan must stop. A poisoned condition stops it too. */
    private boolean readStopCondition() {
        if (signature.stop() == ProgramSignature.NONE) {
            return false;
        }
        return switch (outputs[signature.stop()]) {
            case Value.Present present -> context.engine().read(present.array(), 0, 1)[0] != 0;
            case Value.Poisoned _ -> true;
            case LazyElements _ -> throw new IllegalStateException("a program stores what it computes");
        };
    }

    public void bindOutputs() {
        for (int place = 0; place < signature.bound().length; place++) {
            context.values().define(call.outputs()[place], outputs[signature.bound()[place]].retain());
        }
    }

    public void releaseAll() {
        releaseOutputs();
        for (int input = 0; input < held.length; input++) {
            if (held[input] != null) {
                held[input].release();
                held[input] = null;
            }
        }
    }

    private void releaseOutputs() {
        for (Value output : outputs) {
            output.release();
        }
        outputs = new Value[0];
    }
}
