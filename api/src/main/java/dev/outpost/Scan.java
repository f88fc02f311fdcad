package dev.outpost;

import dev.outpost.client.program.HostStates;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.trace.EmittedValues;
import dev.outpost.internal.trace.RecordedScan;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A program that the machine runs repeatedly in one request. Each run starts with the carried tensors and the written tensors of the
 * previous run. Created by {@link RemoteMachine#scan} and {@link RemoteMachine#scanUntil}.
 *
 * <p>{@link #carry} returns ordinary tensors at once; reading one waits for the scan. The client receives emitted values while the scan
 * runs, through {@link #emissions}. The machine runs ahead of the consumer by at most 1,024 runs or 16 MiB. If the program waits for a
 * result that is computed after the scan, this limit is lifted and the client buffers the emitted values. With {@link EmitMode#STACK},
 * emitted values stay on the machine: {@link #stacked}.
 *
 * <p>A fault in a run poisons the values that it affected and names the run; the scan continues, as a loop would. If the condition of a
 * scan is lost, the scan ends.
 */
public final class Scan {
    private final RecordedScan run;
    private final Recorder recorder;
    private final RemoteScan remote;
    private final EmittedValues emitted;
    private final List<Tensor> carry;
    private final long max;
    private final AtomicBoolean iterated = new AtomicBoolean();
    private List<Tensor> rows;

    Scan(RecordedScan run) {
        this.run = run;
        this.recorder = run.recorder();
        this.remote = run.remote();
        this.emitted = run.emitted();
        this.carry = Dispatch.tensors(run.carry());
        this.max = run.max();
    }

    /**
     * Returns the carried tensors after the last run. Does not wait; reading one of them does.
     *
     * {@snippet file="MachineExamplesTest.java" region="scan"}
     */
    public List<Tensor> carry() {
        return carry;
    }

    /** Returns the number of runs known to be complete. Does not wait. */
    public long progress() {
        return remote.iterations();
    }

    /** Returns the total number of runs. Waits for the last run. */
    public long iterations() {
        return run.iterations();
    }

    /** Ends the scan after the current run. The carried and written tensors have the values that this run left. */
    public void cancel() {
        run.cancel();
    }

    /**
     * Returns the emitted values of each run, in order, as they arrive; one list for each run. They can be iterated once. If the values
     * of a run were lost, {@code next} throws for this run, and the following call continues with the next run.
     *
     * {@snippet file="MachineExamplesTest.java" region="emissions"}
     */
    public Iterable<List<HostTensor>> emissions() {
        if (emitted.isStacked()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "scan: what it emits stays on the machine, as asked by EmitMode.STACK; take stacked()");
        }
        return () -> {
            if (iterated.getAndSet(true)) {
                throw new OutpostException(FaultKind.USER, "scan: what it emitted was walked through already");
            }
            return new Emissions();
        };
    }

    /**
     * Returns the emitted values of a scan with {@link EmitMode#STACK}: for each emitted value, a tensor on the machine with one row
     * for each run, of shape {@code [n, ...]}. If the scan has a condition or was cancelled, waits for its end and returns only the
     * rows of actual runs. Returns the same tensors each time. If the emitted value of one run is lost, the whole tensor is lost.
     *
     * {@snippet file="MachineExamplesTest.java" region="stacked"}
     */
    public synchronized List<Tensor> stacked() {
        if (!emitted.isStacked()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "scan: what it emits is sent home; ask for EmitMode.STACK to have it on the machine");
        }
        if (rows == null) {
            HostStates.ofThread().refuseTraced("stacked", "a scan has no rows while a program is traced; ask before");
            long count = emitted.stacks().isEmpty() ? max : run.counted();
            List<Tensor> stacks = Dispatch.tensors(emitted.stacks());
            rows = count == max
                    ? stacks
                    : stacks.stream().map(stack -> first(stack, count)).toList();
        }
        return rows;
    }

    /** Copies the written rows, so that the memory of unwritten rows is released. */
    private static Tensor first(Tensor stack, long count) {
        try (stack;
                Tensor written = stack.narrow(0, 0, count)) {
            return written.clone();
        }
    }

    private final class Emissions implements Iterator<List<HostTensor>> {
        private long run;
        private List<CompletableFuture<byte[]>> coming;

        @Override
        public boolean hasNext() {
            if (emitted.types().length == 0 || run == max) {
                return false;
            }
            if (coming == null) {
                coming = take();
            }
            return coming != null && isThere(coming.getLast());
        }

        private List<CompletableFuture<byte[]>> take() {
            List<CompletableFuture<byte[]>> taken = new ArrayList<>();
            for (int place = 0; place < emitted.types().length; place++) {
                CompletableFuture<byte[]> one = remote.take(run, place);
                if (one == null) {
                    return null;
                }
                taken.add(one);
            }
            return taken;
        }

        /** Returns false if the run never took place. Returns true for a lost run; reading its values throws. */
        private boolean isThere(CompletableFuture<byte[]> one) {
            return recorder.waits().join(one.handle((bytes, failure) -> failure != null || bytes != null));
        }

        @Override
        public List<HostTensor> next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the scan ended after " + run + " runs");
            }
            List<CompletableFuture<byte[]>> whole = coming;
            coming = null;
            long taken = run++;
            List<HostTensor> values = new ArrayList<>();
            try {
                for (int place = 0; place < emitted.types().length; place++) {
                    values.add(HostTensor.ofBytes(
                            emitted.types()[place].dtype(),
                            emitted.types()[place].shape(),
                            recorder.waits().join(whole.get(place))));
                }
            } finally {
                for (int place = 0; place < emitted.types().length; place++) {
                    remote.taken(taken, place);
                }
            }
            return values;
        }
    }
}
