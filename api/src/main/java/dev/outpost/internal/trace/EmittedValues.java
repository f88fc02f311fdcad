package dev.outpost.internal.trace;

import dev.outpost.internal.TensorState;
import dev.outpost.types.TensorType;
import java.util.List;

/**
 * The values that the runs of a scan emit.
 *
 * @param types the types of the values that are sent to the client
 * @param stacks the tensors on the machine that have one row for each run
 */
public record EmittedValues(boolean isStacked, TensorType[] types, List<TensorState> stacks) {}
