package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The pairs that a decoder does not attend to; see {@link MultiheadAttention.Call} for shapes.
 *
 * @param target a mask of pairs of targets, or null
 * @param memory a mask of pairs of a target and a place of the memory, or null
 * @param targetPadding {@code [batch, targets]}, or null
 * @param memoryPadding {@code [batch, places]}, or null
 * @param targetCausal true if a target attends to no later target; a given mask of targets is used instead
 * @param memoryCausal the same for places of the memory
 */
public record DecoderMasks(
        @Nullable Tensor target,
        @Nullable Tensor memory,
        @Nullable Tensor targetPadding,
        @Nullable Tensor memoryPadding,
        boolean targetCausal,
        boolean memoryCausal) {
    /** Returns masks that hide no pair. */
    public static DecoderMasks none() {
        return new DecoderMasks(null, null, null, null, false, false);
    }

    public DecoderMasks target(@Nullable Tensor mask) {
        return new DecoderMasks(mask, memory, targetPadding, memoryPadding, targetCausal, memoryCausal);
    }

    public DecoderMasks memory(@Nullable Tensor mask) {
        return new DecoderMasks(target, mask, targetPadding, memoryPadding, targetCausal, memoryCausal);
    }

    public DecoderMasks targetPadding(@Nullable Tensor padding) {
        return new DecoderMasks(target, memory, padding, memoryPadding, targetCausal, memoryCausal);
    }

    public DecoderMasks memoryPadding(@Nullable Tensor padding) {
        return new DecoderMasks(target, memory, targetPadding, padding, targetCausal, memoryCausal);
    }

    public DecoderMasks targetCausal(boolean isCausal) {
        return new DecoderMasks(target, memory, targetPadding, memoryPadding, isCausal, memoryCausal);
    }

    public DecoderMasks memoryCausal(boolean isCausal) {
        return new DecoderMasks(target, memory, targetPadding, memoryPadding, targetCausal, isCausal);
    }

    MultiheadAttention.Call ofTarget() {
        return new MultiheadAttention.Call(targetPadding, target, false, true, targetCausal);
    }

    MultiheadAttention.Call ofMemory() {
        return new MultiheadAttention.Call(memoryPadding, memory, false, true, memoryCausal);
    }
}
