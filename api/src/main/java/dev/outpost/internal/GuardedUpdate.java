package dev.outpost.internal;

import dev.outpost.client.program.HostStates;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.waits.PendingUpdates;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Writes to several tensors that either all happen or not at all, such as an optimizer's step. The machine decides: if a gradient or a
 * state was lost to a failure, no state changes. The client counts a run when it is recorded, and corrects the count when the machine
 * reports that it skipped the run.
 *
 * <p>Writes of other threads to these tensors come before or after a run. An instance can be used for any number of runs over the same
 * states, also in programs and scans. Used by one thread at a time.
 */
public final class GuardedUpdate {
    private final LongConsumer undo;
    private final Map<Recorder, Long> numbers = new WeakHashMap<>();
    /**
     * The updates of the recorder of the latest run; null before the first run. {@code segmentsBefore} is the number of segments that
     * this recorder had sealed before the latest run, or 0 if that was the first one or followed a run of another recorder.
     */
    private PendingUpdates latest;

    private long segmentsBefore;

    /** @param undo subtracts a number of skipped runs from the caller's count */
    public GuardedUpdate(LongConsumer undo) {
        this.undo = undo;
    }

    /**
     * Records a run, which the caller has counted. If this throws, the states are unchanged, and the run is not counted.
     *
     * @param gradients the inputs of the update; at least one
     * @param states the tensors that it writes in place; at least one, with distinct storages
     * @param body records the update from the gradients in their order; called once, before this method returns
     */
    @SuppressWarnings("unchecked")
    public <T extends TensorState> void run(List<T> gradients, List<T> states, Consumer<List<T>> body) {
        Writes.withLocks(states, () -> {
            List<Cell> before =
                    states.stream().map(state -> States.cell(state).snapshot()).toList();
            try {
                List<TensorState> kept = new ArrayList<>();
                List<? extends TensorState> guarded = begin(gradients, states, kept);
                body.accept((List<T>) guarded);
                commit(kept, states);
            } catch (RuntimeException | Error failure) {
                bind(states, before);
                HostStates.ofThread().unlessTraced(this::undoFailed);
                throw failure;
            } finally {
                before.forEach(Cell::close);
            }
            return null;
        });
    }

    private List<TensorState> begin(
            List<? extends TensorState> gradients, List<? extends TensorState> states, List<TensorState> kept) {
        List<TensorState> operands = new ArrayList<>(gradients);
        states.forEach(state -> operands.add(whole(state)));
        Recorder recorder = States.recorder(states.getFirst());
        HostStates.ofThread().updated(this, update -> update.runs(recorder));
        long number = numbers.computeIfAbsent(recorder, Recorder::nextUpdate);
        TensorState[] results =
                OpRecording.applyAll(new UpdateGuard(gradients.size(), number), operands.toArray(Operand[]::new));
        List<TensorState> all = List.of(results);
        bind(states, cells(all.subList(gradients.size(), operands.size())));
        kept.addAll(all.subList(operands.size(), all.size()));
        return all.subList(0, gradients.size());
    }

    private static void commit(List<TensorState> kept, List<? extends TensorState> states) {
        List<TensorState> operands = new ArrayList<>(kept);
        states.forEach(state -> operands.add(whole(state)));
        bind(states, cells(List.of(OpRecording.applyAll(new UpdateCommit(), operands.toArray(Operand[]::new)))));
    }

    /** Returns the whole storage of a state, in a shape that is the same before and after. */
    private static TensorState whole(TensorState state) {
        return States.isWhole(state)
                ? state
                : States.view(
                        state, Layout.contiguous(Shape.of(States.cell(state).elements())));
    }

    private static List<Cell> cells(List<TensorState> values) {
        return values.stream().map(States::cell).toList();
    }

    private static void bind(List<? extends TensorState> states, List<Cell> values) {
        for (int index = 0; index < values.size(); index++) {
            States.cell(states.get(index)).bind(values.get(index));
        }
    }

    /** Counts a run that this recorder has recorded in a segment that is not sealed yet. */
    public void runs(Recorder recorder) {
        PendingUpdates updates = recorder.updates();
        segmentsBefore = updates == latest ? updates.sealedSegments() : 0;
        latest = updates;
    }

    /** Corrects the count by the skipped runs that the machine has reported so far. Does not wait. */
    public void settle() {
        HostStates.ofThread().unlessTraced(this::undoSkipped);
    }

    /** Corrects the count by the run that failed, unless the machine has reported already that it skipped it. */
    private void undoFailed() {
        if (undoSkipped() == 0) {
            undo.accept(1);
        }
    }

    /** Returns the number of runs by which it has corrected the count. */
    private long undoSkipped() {
        long skipped = 0;
        for (Map.Entry<Recorder, Long> entry : numbers.entrySet()) {
            skipped += entry.getKey().updates().takeLeftOut(entry.getValue());
        }
        if (skipped > 0) {
            undo.accept(skipped);
        }
        return skipped;
    }

    /**
     * {@linkplain #settle Settles}, and throws the reason why runs were skipped, unless an earlier call, such as a read of the loss,
     * has thrown it. If the machine is near, waits for all runs of the latest recorder except the last one.
     */
    public void report() {
        HostStates.ofThread().unlessTraced(this::reportSkipped);
    }

    private void reportSkipped() {
        if (latest != null) {
            latest.awaitStep(segmentsBefore);
        }
        undoSkipped();
        numbers.forEach((recorder, number) -> recorder.updates().reportLeftOut(number));
    }
}
