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
 * A Java function over tensors that is traced once. Later calls send only its number to the machine, which runs the trace. Created by
 * {@link RemoteMachine#program}.
 *
 * <ul>
 *   <li>The first call traces the function. It is traced again if the inputs have other shapes, dtypes or layouts, if
 *       inputs share memory in another way, if a gradient exists that did not exist at the trace, or if a module
 *       changes between training and evaluation. All other Java values that the function reads keep the value that
 *       they had at the trace.
 *   <li>Each call reads the current values of captured tensors (parameters, running statistics, an optimizer's state). When the call
 *       returns, tensors written in place and gradients have their new values. Results are new tensors.
 *   <li>Each call uses the current step counts and learning rates of optimizers, and continues the machine's random stream, as if the
 *       Java function had run.
 *   <li>Gradients do not flow through a call. The function must call backward itself. An input that requires gradients is refused, and
 *       results do not require gradients.
 *   <li>During a trace, the function cannot read values or use ops whose result shape depends on data. The error names the op and the
 *       line.
 * </ul>
 *
 * <p>A program that is called inside another program's function becomes part of that program. Thread-safe; concurrent calls run one
 * after the other.
 */
public final class Program implements AutoCloseable {
    /** The number of traces that are kept. Beyond it, the least recently used trace is dropped. */
    private static final int MAX_TRACES = 32;

    /** The function that is traced. It runs once for each trace, not once for each call. */
    @FunctionalInterface
    public interface Body {
        /** Computes the results from the inputs. Neither list is changed. */
        List<Tensor> apply(List<Tensor> inputs);
    }

    private final RemoteMachine machine;
    private final Body body;
    private final ReentrantLock lock = new ReentrantLock();

    /** The traces, most recently used first. */
    private final List<Traced> traces = new ArrayList<>();

    private long traced;
    private boolean closed;

    Program(RemoteMachine machine, Body body) {
        this.machine = machine;
        this.body = ArgumentChecks.required(body, "the function");
    }

    /**
     * Runs the function on the machine. The first call, and a call with inputs of other shapes, dtypes or layouts, traces it. Ends
     * this thread's segment; does not wait.
     *
     * {@snippet file="MachineExamplesTest.java" region="program"}
     *
     * @param inputs the function's inputs, on the program's machine; they must not require gradients
     * @return the function's results, as new tensors
     * @throws OutpostException if the function reads a value or uses an op whose result shape depends on data
     */
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

    /** Throws if an input is on another machine, since this machine cannot read the values of another machine. */
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

    /** Copies a carried tensor, so that writes of the runs do not change the caller's tensor. */
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

    // ---- properties of the traces

    /** Returns the number of times that the function has been traced. */
    public long traces() {
        return guarded(() -> traced);
    }

    /**
     * Returns the outer tensors that the latest trace reads at each call, such as {@code 0.weight float32[10, 64]}.
     */
    public List<String> captured() {
        return guarded(() -> latest().captured());
    }

    /** Returns the outer tensors that the latest trace writes at each call. */
    public List<String> written() {
        return guarded(() -> latest().written());
    }

    /** Returns the number of instructions in the latest trace. */
    public int instructions() {
        return guarded(() -> latest().instructions());
    }

    /**
     * Explains how the machine computed the program's latest run: the recorded instructions, the ops fused into each kernel, the memory
     * plan, the generated code, and the times of each kernel in recent runs. If there are several traces, it explains the one that was
     * called last; for a scan, it explains a single run. Computes nothing. Ends this thread's segment and waits for earlier calls.
     */
    public Explanation explain() {
        HostStates.ofThread().refuseTraced("explain", "a program has computed nothing while it is traced");
        return guarded(this::latest).explain();
    }

    /**
     * Like {@link #explain()}, but for the trace that a call with such inputs, or a scan that carries such tensors,
     * uses. Throws if the program was never called with such inputs, because this method does not trace.
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

    /** Returns the function. The publication of the program traces it again. */
    Body body() {
        return body;
    }

    /** Returns the types of the inputs of the latest call. */
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

    /** Releases the program on the machine. Closing again does nothing. */
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
