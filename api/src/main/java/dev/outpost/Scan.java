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
 * A program that the machine runs again and again in one request, each run on what the one before handed on: what is carried,
 * and all tensors that the program writes. Made by {@link RemoteMachine#scan} and {@link RemoteMachine#scanUntil}.
 *
 * <p>{@link #carry} are tensors as any others, there at once, computed when they are looked at. What runs emit comes home as
 * it is computed, through {@link #emissions}; the machine runs ahead of whoever takes it by 1,024 runs or 16 MiB, unless the
 * program waits for something that comes behind the scan: then what is emitted is kept here until it is taken. Or it stays
 * on the machine, stacked, and nothing comes home: {@link #stacked}.
 *
 * <p>A fault in a run poisons what it touched, names the run, and the scan goes on, as a loop would. One whose condition
 * is lost ends.
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

    /** The values that the last run carried on. */
    public List<Tensor> carry() {
        return carry;
    }

    /** How many runs are known to be done; does not wait. */
    public long progress() {
        return remote.iterations();
    }

    /** How many runs there were; waits for the last. */
    public long iterations() {
        return run.iterations();
    }

    /** Ends it after the run at hand: what is carried, and what the program writes, is what that one left. */
    public void cancel() {
        run.cancel();
    }

    /**
     * The values that the runs emit, in their order, each as it comes: one list a run. Can be walked through once. A
     * run whose values were lost throws where they are reached; the next call goes on behind it.
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
     * The values that the runs emit where the scan was asked for {@link EmitMode#STACK}: of each a tensor on the
     * machine with a row for each run, shape {@code [n, ...]}. Of a scan with a condition, or one that was cancelled,
     * waits for its end and has the rows of the runs that there were. The same tensors each time. A run whose emission
     * was lost takes all rows with it.
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

    /** Rows that were never written need not stay. */
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

        /** A run that never was answers nothing; one that was lost is there, and throws when it is taken. */
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
