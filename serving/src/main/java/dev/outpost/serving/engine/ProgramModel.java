package dev.outpost.serving.engine;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.inference.QueueFullException;
import dev.outpost.internal.publish.ProgramFile;
import dev.outpost.internal.publish.StoredProgram;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * A published program on a machine. While the program computes, further calls wait. They are then computed together.
 * There is no timer, so a single call does not wait. Thread-safe.
 */
public final class ProgramModel implements ServedModel {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final String name;
    private final StoredProgram program;
    private final int waiting;
    private final LinkedBlockingQueue<Call> calls;
    private final Consumer<String> onFailure;
    private final Thread thread;
    private volatile boolean isClosed;

    private ProgramModel(String name, StoredProgram program, int waiting, Consumer<String> onFailure) {
        this.name = name;
        this.program = program;
        this.waiting = waiting;
        this.onFailure = onFailure;
        this.calls = new LinkedBlockingQueue<>(waiting);
        this.thread =
                Thread.ofPlatform().name("outpost-program-" + name).daemon().start(this::run);
    }

    /**
     * Uploads the values that the program captured, runs the program once, and waits for the result.
     *
     * @param waiting the maximum number of calls that wait
     * @param onFailure called with the reason when the machine fails later on
     */
    public static ProgramModel load(
            RemoteMachine machine, String name, Path file, int waiting, Consumer<String> onFailure) throws IOException {
        StoredProgram program = StoredProgram.load(machine, ProgramFile.read(file));
        program.warmUp();
        return new ProgramModel(name, program, waiting, onFailure);
    }

    private record Call(List<HostTensor> inputs, CompletableFuture<ProgramAnswer> answer) {
        long rows() {
            return inputs.isEmpty() || inputs.getFirst().shape().rank() == 0
                    ? 1
                    : inputs.getFirst().shape().size(0);
        }
    }

    @Override
    public String name() {
        return name;
    }

    /** Returns the types of the inputs; if calls are batched, the types of one row. */
    public List<TensorType> inputs() {
        return program.file().inputs();
    }

    /** True if calls may have any number of rows. */
    public boolean isBatched() {
        return program.file().isByRows();
    }

    /**
     * Calls the program, and waits for the answer.
     *
     * @param inputs checked by {@link ProgramInputs}
     * @throws QueueFullException if too many calls wait
     */
    public ProgramAnswer call(List<HostTensor> inputs) {
        Call call = new Call(inputs, new CompletableFuture<>());
        if (isClosed) {
            throw closed();
        }
        if (!calls.offer(call)) {
            throw new QueueFullException(waiting, RETRY_AFTER);
        }
        if (isClosed) {
            refuseRest();
        }
        try {
            return call.answer().get();
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException known ? known : new IllegalStateException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw closed();
        }
    }

    private static UnavailableException closed() {
        return new UnavailableException("the machine of the program is ending", RETRY_AFTER);
    }

    // ---- the thread that computes

    private void run() {
        while (!isClosed) {
            try {
                compute(next());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        refuseRest();
    }

    /**
     * Takes one call from the queue. If calls are batched, also takes the waiting calls that fit into the same batch.
     */
    private List<Call> next() throws InterruptedException {
        List<Call> batch = new ArrayList<>();
        batch.add(calls.take());
        long rows = batch.getFirst().rows();
        while (isBatched()
                && !calls.isEmpty()
                && rows + calls.peek().rows() <= program.file().maxRows()) {
            Call further = calls.remove();
            rows += further.rows();
            batch.add(further);
        }
        return batch;
    }

    private void compute(List<Call> batch) {
        try {
            List<List<HostTensor>> inputs = batch.stream().map(Call::inputs).toList();
            List<List<HostTensor>> answers =
                    isBatched() ? RowBatch.run(program, inputs) : List.of(program.call(inputs.getFirst()));
            for (int call = 0; call < batch.size(); call++) {
                batch.get(call).answer().complete(new ProgramAnswer(answers.get(call), batch.size()));
            }
        } catch (RuntimeException failure) {
            batch.forEach(call -> call.answer().completeExceptionally(failure));
            if (!isClosed && failure instanceof OutpostException known && known.kind() == FaultKind.EXTERNAL) {
                onFailure.accept(failure.getMessage());
            }
        }
    }

    private void refuseRest() {
        for (Call left = calls.poll(); left != null; left = calls.poll()) {
            left.answer().completeExceptionally(closed());
        }
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
        refuseRest();
        program.close();
    }
}
