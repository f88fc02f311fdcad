package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Runs one direction of one layer over packed rows: first the rows of step 1 of all sequences, then the rows of step
 * 2 of all sequences that are long enough, and so on. The longest sequence comes first. Sequences of equal lengths
 * are a special case.
 */
record PackedRun(Gates gates, DirectionWeights weights, long[] batchSizes) {
    /**
     * The result of a run.
     *
     * @param output the hidden states, packed like the input
     * @param states the last state of each sequence
     */
    record Result(Tensor output, List<Tensor> states) {}

    /** @param state the state of all sequences before their first step */
    Result forward(Tensor input, List<Tensor> state) {
        Tensor rows = weights.ofInput(input);
        List<Tensor> outputs = new ArrayList<>();
        List<List<Tensor>> ended = new ArrayList<>();
        List<Tensor> running = state;
        long offset = 0;
        for (long size : batchSizes) {
            long before = running.getFirst().size(0);
            if (size < before) {
                ended.add(parts(running, size, before - size));
                running = parts(running, 0, size);
            }
            running = step(rows.narrow(0, offset, size), running);
            outputs.add(running.getFirst());
            offset += size;
        }
        ended.add(running);
        return new Result(Tensors.cat(outputs, 0), joined(ended.reversed()));
    }

    /** Runs over each sequence from its end. */
    Result backward(Tensor input, List<Tensor> state) {
        Tensor rows = weights.ofInput(input);
        List<Tensor> outputs = new ArrayList<>();
        long offset = Arrays.stream(batchSizes).sum();
        List<Tensor> running = parts(state, 0, batchSizes[batchSizes.length - 1]);
        for (int index = batchSizes.length - 1; index >= 0; index--) {
            long size = batchSizes[index];
            long before = running.getFirst().size(0);
            if (size > before) {
                running = joined(List.of(running, parts(state, before, size - before)));
            }
            offset -= size;
            running = step(rows.narrow(0, offset, size), running);
            outputs.add(running.getFirst());
        }
        Collections.reverse(outputs);
        return new Result(Tensors.cat(outputs, 0), running);
    }

    private List<Tensor> step(Tensor fromInput, List<Tensor> state) {
        List<Tensor> next = gates.step(fromInput, weights.ofHidden(state.getFirst()), state);
        if (weights.projection() == null) {
            return next;
        }
        List<Tensor> projected = new ArrayList<>(next);
        projected.set(0, weights.projected(next.getFirst()));
        return projected;
    }

    private static List<Tensor> parts(List<Tensor> state, long start, long length) {
        return state.stream().map(tensor -> tensor.narrow(0, start, length)).toList();
    }

    private static List<Tensor> joined(List<List<Tensor>> states) {
        if (states.size() == 1) {
            return states.getFirst();
        }
        List<Tensor> joined = new ArrayList<>();
        for (int index = 0; index < states.getFirst().size(); index++) {
            int which = index;
            joined.add(
                    Tensors.cat(states.stream().map(state -> state.get(which)).toList(), 0));
        }
        return joined;
    }
}
