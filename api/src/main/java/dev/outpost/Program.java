package dev.outpost;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.program.HostStates;
import dev.outpost.explain.Explanation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.trace.Traced;
import dev.outpost.internal.trace.TracedMode;
import dev.outpost.internal.trace.Tracer;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A Java function over tensors that is traced once and then called on the machine by a number. Made by {@link
 * RemoteMachine#program}.
 *
 * <ul>
 *   <li>It is traced when it is first called, and again for inputs of other shapes, dtypes or layouts, inputs that share
 *       memory in another way, and where a gradient is there or a module trains that did not. Everything else that the
 *       function reads in Java stays as it was when it was traced.
 *   <li>Tensors that it captures (parameters, running statistics, an optimizer's state) are read when it is called. What it
 *       writes in place, and the gradients that it leaves, are bound when the call returns. Results are tensors of their own.
 *   <li>Step counts and learning rates of optimizers are those of the call, and random numbers go on in the machine's stream,
 *       as if the function had run.
 *   <li>Gradients do not flow through a call: backward belongs inside, an input that requires gradients is refused, and
 *       results require none.
 *   <li>A value cannot be read, and an op whose shape depends on data cannot be used, while it is traced: the error names the
 *       op and the line.
 * </ul>
 *
 * <p>Calling one inside the function of another runs its function there. Any thread may call it; one at a time does.
 */
public final class Program implements AutoCloseable {
    /** Of a few shapes and states each; more make room for each other. */
    private static final int MAX_TRACES = 32;

    /** The function that is traced. It is called once for each kind of inputs, not once for each call. */
    @FunctionalInterface
    public interface Body {
        /** The results, from the inputs; neither list is changed. */
        List<Tensor> apply(List<Tensor> inputs);
    }

    private final RemoteMachine machine;
    private final Body body;
    private final ReentrantLock lock = new ReentrantLock();

    /** The most recently used first. */
    private final List<Traced> traces = new ArrayList<>();

    private long traced;
    private boolean closed;

    Program(RemoteMachine machine, Body body) {
        this.machine = machine;
        this.body = ArgumentChecks.required(body, "the function");
    }

    /** Runs the function on the machine. Ends this thread's segment; does not wait. */
    public List<Tensor> call(Tensor... inputs) {
        List<Tensor> arguments = List.copyOf(ArgumentChecks.requiredEach(inputs, "the inputs"));
        return HostStates.ofThread().either(() -> called(arguments), () -> List.copyOf(body.apply(arguments)));
    }

    private List<Tensor> called(List<Tensor> arguments) {
        requireHere("program", arguments);
        lock.lock();
        try {
            return Dispatch.tensors(find(arguments, TracedMode.CALL).call(machine.home(), arguments));
        } finally {
            lock.unlock();
        }
    }

    /** The machine knows nothing of another's values. */
    private void requireHere(String op, List<Tensor> tensors) {
        for (int index = 0; index < tensors.size(); index++) {
            RemoteMachine other = tensors.get(index).machine();
            if (other != machine) {
                throw new OpException(
                        op,
                        "input " + index + " is on another machine, got " + other.name() + " for a program of "
                                + machine.name() + "; bring it over with toHost().to(machine)");
            }
        }
    }

    Scan scan(List<Tensor> carry, long runs, TracedMode.Kind kind, EmitMode emit) {
        HostStates.ofThread()
                .refuseTraced("scan", "a program cannot scan another; call it in a loop, or scan from outside");
        if (runs < 1) {
            throw new OutpostException(FaultKind.USER, "scan: at least one run is needed, got " + runs);
        }
        TracedMode mode = new TracedMode(kind, emit == EmitMode.STACK ? runs : 0);
        requireHere("scan", ArgumentChecks.requiredEach(carry, "what is carried"));
        List<Tensor> own = carry.stream().map(Program::withOwnStorage).toList();
        lock.lock();
        try {
            return new Scan(find(own, mode).scan(machine.home(), own, runs));
        } finally {
            lock.unlock();
            own.forEach(Tensor::close);
        }
    }

    /** A carried tensor has a storage of its own: writes to it in a run belong to the run. */
    private static Tensor withOwnStorage(Tensor tensor) {
        return GradMode.with(
                false,
                () -> tensor.requiresGrad() || States.wholeValue(tensor) != null
                        ? States.snapshot(tensor)
                        : tensor.clone());
    }

    private Traced find(List<Tensor> arguments, TracedMode mode) {
        requireOpen();
        for (int index = 0; index < traces.size(); index++) {
            Traced candidate = traces.get(index);
            if (candidate.fits(machine.recorder(), arguments, mode)) {
                if (index > 0) {
                    traces.addFirst(traces.remove(index));
                }
                return candidate;
            }
        }
        return trace(arguments, mode);
    }

    private Traced trace(List<Tensor> arguments, TracedMode mode) {
        Traced made = Tracer.trace(machine.home(), inputs -> body.apply(Dispatch.tensors(inputs)), arguments, mode);
        traced++;
        traces.addFirst(made);
        if (traces.size() > MAX_TRACES) {
            traces.removeLast().drop();
        }
        return made;
    }

    // ---- what is known of it

    /** How often the function has been traced. */
    public long traces() {
        return guarded(() -> traced);
    }

    /** The tensors outside of it that the latest trace reads at each call, as {@code 0.weight float32[10, 64]}. */
    public List<String> captured() {
        return guarded(() -> latest().captured());
    }

    /** The tensors outside of it that the latest trace writes at each call. */
    public List<String> written() {
        return guarded(() -> latest().written());
    }

    /** How many instructions a run of the latest trace has. */
    public int instructions() {
        return guarded(() -> latest().instructions());
    }

    /**
     * How the machine computed the program's latest run: the recorded instructions, what was fused into which kernel, the
     * memory plan, the generated code, and how long each kernel took in recent runs. Of several traces the one that was
     * called last is told; of a scan, a run of it. Computes nothing; ends this thread's segment and waits for what was
     * called before.
     */
    public Explanation explain() {
        HostStates.ofThread().refuseTraced("explain", "a program has computed nothing while it is traced");
        return guarded(this::latest).explain();
    }

    /**
     * As {@link #explain()}, of the trace that a call with such inputs uses, or a scan that carries such. Nothing is traced
     * for it: one that was never called has nothing to tell.
     */
    public Explanation explain(Tensor... inputs) {
        HostStates.ofThread().refuseTraced("explain", "a program has computed nothing while it is traced");
        List<Tensor> arguments = List.copyOf(ArgumentChecks.requiredEach(inputs, "the inputs"));
        return guarded(() -> known(arguments)).explain();
    }

    private Traced known(List<Tensor> arguments) {
        latest();
        return traces.stream()
                .filter(candidate -> candidate.fits(machine.recorder(), arguments))
                .findFirst()
                .orElseThrow(() -> new OutpostException(
                        FaultKind.USER,
                        "explain: the program was not called with such inputs, got "
                                + arguments.stream().map(Tensor::type).toList()));
    }

    private Traced latest() {
        requireOpen();
        if (traces.isEmpty()) {
            throw new OutpostException(
                    FaultKind.USER, "program: it has not been called, so nothing is known of it yet");
        }
        return traces.getFirst();
    }

    /** The function, for what keeps it in another form. */
    Body body() {
        return body;
    }

    /** The types of the inputs that it was called with last. */
    List<TensorType> inputTypes() {
        return guarded(() -> latest().argumentTypes());
    }

    private <T> T guarded(Supplier<T> look) {
        lock.lock();
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new OutpostException(FaultKind.USER, "program: it is closed");
        }
    }

    /** The machine need not keep it any more. Closing again does nothing. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            traces.forEach(Traced::drop);
            traces.clear();
        } finally {
            lock.unlock();
        }
    }
}
