package dev.outpost.sharding;

import dev.outpost.types.TensorType;
import java.util.List;

/**
 * An exchange between machines of a group that a placement needed.
 *
 * @param collective the collective, such as {@code all_reduce}
 * @param cause the op that needed it
 * @param type the whole tensor
 * @param bytes the size of the tensor; for a move to other machines, once for each time that it is sent
 * @param workers the ranks that took part
 * @param line the line of the program that recorded the op; empty if traces are off
 * @param isFallback true if it gathers an operand because the op has no rule for its placement
 */
public record GroupExchange(
        String collective,
        String cause,
        TensorType type,
        long bytes,
        List<Integer> workers,
        String line,
        boolean isFallback) {

    @Override
    public String toString() {
        return collective + " of " + type + ", " + bytes + " bytes on " + workers + " for " + cause
                + (isFallback ? ", which has no rule for it and computes it whole" : "")
                + (line.isEmpty() ? "" : ", recorded at " + line);
    }
}
