package dev.outpost;

import dev.outpost.client.ClientSession;
import dev.outpost.client.LiveScalar;
import dev.outpost.client.ProgramRecorder;
import dev.outpost.client.RemoteValue;
import dev.outpost.client.SourceLine;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.types.TensorType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A program while its Java function runs, on one thread. What the function computes is recorded for later; what it reads
 * and writes of the world outside becomes the program's inputs and outputs, and the world itself is left alone.
 *
 * <p>Invariant: cells and variables that were made outside keep what they hold; what they would hold stands here.
 */
final class Trace {
    private static final ThreadLocal<Trace> CURRENT = new ThreadLocal<>();

    /** So that whoever traces nothing pays one read of a field. */
    private static final AtomicInteger ACTIVE = new AtomicInteger();

    private final ProgramRecorder recorder;
    private final long firstNode = Node.latest();
    private final List<ProgramInput> inputs = new ArrayList<>();
    private final Map<Cell, ArgumentCell> arguments = new IdentityHashMap<>();
    private final Map<Cell, TracedCell> cells = new IdentityHashMap<>();
    private final List<TracedCell> cellsInOrder = new ArrayList<>();
    private final Map<Variable, TracedGradient> gradients = new LinkedHashMap<>();
    private final Map<Object, Supplier<?>> facts = new LinkedHashMap<>();
    private final TracedNumbers numbers = new TracedNumbers();
    private final Set<GuardedUpdate> updates = new LinkedHashSet<>();

    /** A cell from outside: what it would hold now, and whether it was read before it was written. */
    static final class TracedCell {
        final Cell cell;
        RemoteValue entry;
        RemoteValue current;

        TracedCell(Cell cell) {
            this.cell = cell;
        }

        boolean isWritten() {
            return current != entry;
        }
    }

    /** Stands for the storage of an argument; whether the function reached it in another way, too. */
    static final class ArgumentCell {
        final Cell inner;
        final RemoteValue entry;
        boolean captured;

        ArgumentCell(Cell inner, RemoteValue entry) {
            this.inner = inner;
            this.entry = entry;
        }
    }

    /** The gradient of a variable from outside. */
    static final class TracedGradient {
        RemoteValue entry;
        boolean readAsNone;
        Tensor current;
    }

    Trace(ClientSession session) {
        recorder = session.recorder();
    }

    /** What this thread traces, or null. */
    static Trace current() {
        return ACTIVE.get() == 0 ? null : CURRENT.get();
    }

    <T> T inside(Supplier<T> body) {
        ACTIVE.incrementAndGet();
        CURRENT.set(this);
        try {
            return body.get();
        } finally {
            CURRENT.remove();
            ACTIVE.decrementAndGet();
        }
    }

    /** Does something of its own, which no call repeats. */
    <T> T outside(Supplier<T> body) {
        CURRENT.remove();
        try {
            return Scope.without(body);
        } finally {
            CURRENT.set(this);
        }
    }

    // ---- what is asked of it

    ProgramRecorder recorder() {
        return recorder;
    }

    TracedNumbers numbers() {
        return numbers;
    }

    /** Updates that the program runs. */
    Set<GuardedUpdate> updates() {
        return updates;
    }

    List<ProgramInput> inputs() {
        return inputs;
    }

    Map<Cell, ArgumentCell> arguments() {
        return arguments;
    }

    List<TracedCell> cells() {
        return cellsInOrder;
    }

    Map<Variable, TracedGradient> gradients() {
        return gradients;
    }

    /** Which of what was assumed while tracing is asked again before each call, and how it was. */
    Map<Supplier<?>, Object> facts() {
        Map<Supplier<?>, Object> known = new LinkedHashMap<>();
        facts.values().forEach(fact -> known.put(fact, fact.get()));
        return known;
    }

    // ---- instructions

    RemoteValue[] record(ClientSession session, Op op, Operand[] operands, TensorType[] types) {
        requireSession(session);
        Object[] values = new Object[operands.length];
        for (int position = 0; position < operands.length; position++) {
            values[position] = switch (operands[position]) {
                case Operand.Immediate immediate -> number(immediate);
                case Tensor tensor -> valueOf(tensor);
            };
        }
        return recorder.record(op, values, types);
    }

    private Object number(Operand.Immediate immediate) {
        return immediate.live() == null
                ? immediate.scalar()
                : new LiveScalar(immediate.scalar(), numbers.column(immediate));
    }

    /** A tensor's value; a view costs an instruction only where it is used. */
    private RemoteValue valueOf(Tensor tensor) {
        RemoteValue whole = tensor.wholeValue();
        if (whole != null) {
            return whole;
        }
        AsStrided view = new AsStrided(tensor.layout());
        RemoteValue base = tensor.cell().value();
        return recorder.record(view, new Object[] {base}, view.infer(base.type()))[0];
    }

    RemoteValue input(ProgramInput source, TensorType type) {
        inputs.add(source);
        return recorder.input(type);
    }

    private void requireSession(ClientSession session) {
        if (session != recorder.session()) {
            throw refusal(
                    "program", "it is traced for " + recorder.session().name() + " and cannot use " + session.name());
        }
    }

    // ---- storage

    boolean owns(Cell cell) {
        return cell.trace() == this;
    }

    /** What a cell from outside would hold now. */
    RemoteValue valueOf(Cell cell) {
        requireSession(cell.session());
        ArgumentCell argument = arguments.get(cell);
        if (argument != null) {
            argument.captured = true;
            return argument.inner.value();
        }
        TracedCell traced = traced(cell);
        if (traced.current == null) {
            traced.entry = input(new ProgramInput.Captured(cell), cell.held().type());
            traced.current = traced.entry;
        }
        return traced.current;
    }

    void write(Cell cell, RemoteValue value) {
        requireSession(cell.session());
        ArgumentCell argument = arguments.get(cell);
        if (argument == null) {
            traced(cell).current = value;
        } else {
            argument.captured = true;
            argument.inner.bind(value);
        }
    }

    private TracedCell traced(Cell cell) {
        return cells.computeIfAbsent(cell, outer -> {
            TracedCell added = new TracedCell(outer);
            cellsInOrder.add(added);
            return added;
        });
    }

    // ---- gradients

    boolean owns(Variable variable) {
        return variable.trace() == this;
    }

    Tensor gradientOf(Variable variable) {
        return gradients.computeIfAbsent(variable, this::readGradient).current;
    }

    private TracedGradient readGradient(Variable variable) {
        TracedGradient read = new TracedGradient();
        Tensor held = variable.heldGradient();
        read.readAsNone = held == null;
        if (held != null) {
            read.entry = input(new ProgramInput.GradientOf(variable), held.heldType());
            read.current = Tensor.over(read.entry);
        }
        return read;
    }

    void gradient(Variable variable, Tensor gradient) {
        gradients.computeIfAbsent(variable, written -> new TracedGradient()).current = gradient;
    }

    /** Gradients end at what was made outside, but for leaves. */
    void requireInside(Node node) {
        if (node.sequence() <= firstNode && !(node instanceof AccumulateNode) && !(node instanceof ViewNode)) {
            throw refusal(
                    "backward",
                    "gradients do not flow out of a program, got to " + node.label()
                            + ", which was computed outside; detach it, or compute it inside");
        }
    }

    // ---- what cannot be traced

    /** Remembers what the function relied on: a trace where that is different now is not used. */
    void assume(Object key, Supplier<?> fact) {
        facts.putIfAbsent(key, fact);
    }

    static OutpostException refusal(String op, String problem) {
        String line = SourceLine.ofCaller();
        return new OutpostException(FaultKind.USER, op + ": " + problem + (line.isEmpty() ? "" : " (" + line + ")"));
    }

    /** Fails if this thread traces a program. */
    static void requireNone(String op, String problem) {
        if (current() != null) {
            throw refusal(op, problem);
        }
    }
}
