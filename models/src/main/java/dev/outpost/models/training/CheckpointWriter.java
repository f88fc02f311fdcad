package dev.outpost.models.training;

import dev.outpost.Tensor;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Writes checkpoints in the background while training continues, one at a time. Used by one thread. */
final class CheckpointWriter {
    private final Checkpoints checkpoints;
    private Pending pending;

    private record Pending(TrainingState state, CompletableFuture<Long> bytes, long begun, Duration pause) {
        private SavedCheckpoint saved(String uri, long now) {
            return new SavedCheckpoint(state.step(), uri, bytes.join(), pause, Duration.ofNanos(now - begun));
        }
    }

    CheckpointWriter(Checkpoints checkpoints) {
        this.checkpoints = checkpoints;
    }

    /**
     * Starts to write a checkpoint. Waits for the previous checkpoint, and returns it.
     *
     * @param pauseBegun the time at which training paused for it
     */
    Optional<SavedCheckpoint> begin(TrainingState state, Map<String, Tensor> tensors, long pauseBegun) {
        Optional<SavedCheckpoint> before = finish();
        long begun = System.nanoTime();
        CompletableFuture<Long> bytes = checkpoints.write(state, tensors);
        pending = new Pending(state, bytes, begun, Duration.ofNanos(System.nanoTime() - pauseBegun));
        return before;
    }

    /** Returns the checkpoint under way if it is complete now. */
    Optional<SavedCheckpoint> finished() {
        return pending != null && pending.bytes.isDone() ? finish() : Optional.empty();
    }

    /** Waits for the checkpoint under way. */
    Optional<SavedCheckpoint> finish() {
        if (pending == null) {
            return Optional.empty();
        }
        Pending one = pending;
        pending = null;
        try {
            one.bytes.join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof OutpostException known) {
                throw new OutpostException(
                        known.kind(),
                        "the checkpoint after step " + one.state.step() + ": " + known.getMessage(),
                        known);
            }
            throw failure;
        }
        long now = System.nanoTime();
        checkpoints.written(one.state);
        return Optional.of(one.saved(checkpoints.folder(one.state.step()), now));
    }
}
