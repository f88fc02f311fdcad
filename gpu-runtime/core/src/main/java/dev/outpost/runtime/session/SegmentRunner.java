package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.protocol.types.Layout;
import dev.outpost.protocol.types.TensorType;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.PlanCache;
import java.util.function.BooleanSupplier;

/** Runs a session's segments. Used by the worker alone; what it counts is read by it alone too. */
final class SegmentRunner {
    private final Engine engine;
    private final PlanCache plans;
    private final SessionMemory memory;
    private final Uploads uploads;
    private final Values values;
    private final Faults faults;
    private final Immediates immediates;
    private final BooleanSupplier stopped;
    private long segments;
    private long kernels;
    private long engineNanos;
    private long plansMade;

    /** @param stopped whether the session has ended; asked between instructions */
    SegmentRunner(
            Engine engine,
            PlanCache plans,
            SessionMemory memory,
            Uploads uploads,
            Values values,
            Faults faults,
            BooleanSupplier stopped) {
        this.engine = engine;
        this.plans = plans;
        this.memory = memory;
        this.uploads = uploads;
        this.values = values;
        this.faults = faults;
        this.immediates = new Immediates(engine);
        this.stopped = stopped;
    }

    /**
     * Runs a segment to its end. What fails poisons its results and nothing else.
     *
     * @throws MalformedException when the bytes are no segment over the session's values: the client is broken
     * @throws InterruptedException when the session ends meanwhile
     */
    void run(byte[] bytes) throws InterruptedException {
        Segment segment = Segment.read(bytes);
        Graph graph = read(segment);
        for (long output : segment.outputs()) {
            values.requireUndefined(output);
        }
        SegmentRun run = new SegmentRun(this, segment, graph, plan(graph));
        try {
            run.takeInputs(values);
            run.execute();
            run.bindOutputs(values);
        } finally {
            run.releaseAll();
        }
        segments++;
    }

    long segments() {
        return segments;
    }

    long kernels() {
        return kernels;
    }

    long engineNanos() {
        return engineNanos;
    }

    long plansMade() {
        return plansMade;
    }

    void close() {
        immediates.clear();
    }

    void requireRunning() throws InterruptedException {
        if (stopped.getAsBoolean()) {
            throw new InterruptedException("the session has ended");
        }
    }

    /** The fault of an instruction that failed. */
    Fault fault(Throwable problem, Instruction instruction, Segment segment) {
        return faults.record(problem, instruction, segment.source(instruction.index()));
    }

    Immediates immediates() {
        return immediates;
    }

    Storage allocate(TensorType type) {
        return memory.allocate(type.dtype(), type.shape().elements());
    }

    Storage literal(TensorType type, byte[] elements) {
        Storage storage = allocate(type);
        engine.write(storage.buffer(), 0, elements, 0, elements.length);
        return storage;
    }

    Storage upload(long number, TensorType type) throws InterruptedException {
        return uploads.take(number, type);
    }

    void launch(Kernel kernel, Op op, Array[] operands, Array[] results) {
        long start = System.nanoTime();
        kernel.run(op, operands, results);
        engineNanos += System.nanoTime() - start;
        kernels++;
    }

    /** A view of a value. Views are described over contiguous elements, so a strided value is copied first. */
    Value.Present view(Value.Present base, Layout layout) throws InterruptedException {
        if (!base.array().layout().isContiguous()) {
            return viewOfCopy(base, layout);
        }
        long offset = base.array().layout().offset() + layout.offset();
        Layout composed = Layout.of(layout.shape(), layout.strides(), offset);
        return new Value.Present(
                new Array(base.storage().buffer(), composed), base.storage().retain());
    }

    private Value.Present viewOfCopy(Value.Present base, Layout layout) throws InterruptedException {
        Kernel copy = plan(copyOf(base.type())).kernel(0);
        Storage storage = allocate(base.type());
        Array target = Array.contiguous(storage.buffer(), base.type().shape());
        try {
            launch(copy, Unary.COPY, new Array[] {base.array()}, new Array[] {target});
            return view(new Value.Present(target, storage), layout);
        } finally {
            // The view is an owner of its own.
            storage.release();
        }
    }

    private static Graph copyOf(TensorType type) {
        SegmentWriter copy = new SegmentWriter();
        copy.addInput(1);
        copy.begin(Unary.COPY, 1);
        copy.input(0);
        copy.finish(Unary.COPY, 2, 1);
        return Graph.read(Segment.read(copy.toByteArray()), new TensorType[] {type});
    }

    private Plan plan(Graph graph) throws InterruptedException {
        PlanCache.Answer answer = plans.plan(graph);
        plansMade += answer.made() ? 1 : 0;
        return answer.plan();
    }

    /** The client checks every op where it is called, so one that is refused here came from a broken client. */
    private Graph read(Segment segment) {
        long[] inputs = segment.inputs();
        TensorType[] types = new TensorType[inputs.length];
        for (int input = 0; input < inputs.length; input++) {
            types[input] = values.get(inputs[input]).type();
        }
        try {
            return Graph.read(segment, types);
        } catch (MalformedException malformed) {
            throw malformed;
        } catch (OutpostException | ArithmeticException refused) {
            throw new MalformedException("an op cannot be what the segment says: " + refused.getMessage());
        }
    }
}
