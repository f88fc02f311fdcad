package dev.outpost.internal.trace;

import dev.outpost.internal.TensorState;
import dev.outpost.types.TensorType;
import java.util.List;

/**
 * The values that the runs of a scan emit.
 *
 * @param types of what is sent home
 * @param stacks the tensors that have a row for each run
 */
public record EmittedValues(boolean isStacked, TensorType[] types, List<TensorState> stacks) {}
