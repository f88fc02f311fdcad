package dev.outpost.sharding;

import dev.outpost.types.TensorType;
import java.util.List;

/**
 * An exchange between machines of a group that a placement called for.
 *
 * @param collective such as {@code all_reduce}
 * @param cause the op that needed it
 * @param type the whole tensor
 * @param bytes what the tensor takes; for a move to other machines, as often as it is sent
 * @param workers the ranks that took part
 * @param line of the program that recorded the op; empty where traces are off
 * @param isFallback whether it gathers what an op without a rule for such placements needs whole
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
