package dev.outpost.client.sharding;

import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Searches for the placement of parameters and data with which the segments take the least time and fit into memory. It improves well-known
 * placements by changing one or two parameters at a time, so it may end in a local minimum.
 */
public final class PlacementSearch {
    /**
     * The bytes per parameter, in multiples of its size: the parameter, its gradient, and two moments of an
     * optimizer.
     */
    private static final int COPIES = 4;

    private final PlacementCost cost;
    private final List<Long> names;
    private final List<TensorType> types;
    private final List<Integer> workers;
    private final long memory;
    private final Map<List<Integer>, Double> known = new HashMap<>();

    /**
     * @param names the ids of the parameters among the inputs
     * @param memory the bytes that parameters, gradients and moments may take on a member
     */
    public PlacementSearch(PlacementCost cost, List<Long> names, List<TensorType> types, int size, long memory) {
        this.cost = cost;
        this.names = List.copyOf(names);
        this.types = List.copyOf(types);
        this.workers = IntStream.range(0, size).boxed().toList();
        this.memory = memory;
    }

    /**
     * A placement.
     *
     * @param parts the dimension that is cut, or -1: first for the data, then for each parameter
     * @param seconds the estimated time; infinite if the placement does not fit into memory
     */
    public record Found(List<Integer> parts, double seconds) {
        /** Returns true if data are cut along their first dimension. */
        public boolean isBatchCut() {
            return parts.getFirst() == 0;
        }
    }

    /** Searches, and returns the best placement that was found. */
    public Found search() {
        Found best = null;
        for (List<Integer> start : List.of(uniform(0, -1), uniform(0, 0), uniform(-1, -1), alternating())) {
            Found reached = descend(start);
            best = best == null || reached.seconds() < best.seconds() ? reached : best;
        }
        return best;
    }

    /** Cuts every parameter along the same dimension, if it can be cut there. */
    public List<Integer> uniform(int data, int dim) {
        List<Integer> parts = new ArrayList<>(List.of(data));
        types.forEach(type -> parts.add(canBeCut(type, dim) ? dim : -1));
        return parts;
    }

    /** Cuts matrices along their first and second dimension in turn, and cuts vectors like the preceding matrix. */
    public List<Integer> alternating() {
        List<Integer> parts = new ArrayList<>(List.of(-1));
        int dim = 1;
        for (TensorType type : types) {
            boolean isMatrix = type.shape().rank() > 1;
            dim = isMatrix ? 1 - dim : dim;
            int own = isMatrix ? dim : dim == 0 ? 0 : -1;
            parts.add(canBeCut(type, own) ? own : -1);
        }
        return parts;
    }

    private boolean canBeCut(TensorType type, int dim) {
        return dim >= 0 && dim < type.shape().rank() && type.shape().size(dim) >= workers.size();
    }

    private List<Integer> options(int variable) {
        if (variable == 0) {
            return List.of(-1, 0);
        }
        TensorType type = types.get(variable - 1);
        return IntStream.range(-1, Math.min(2, type.shape().rank()))
                .filter(dim -> dim < 0 || canBeCut(type, dim))
                .boxed()
                .toList();
    }

    private Found descend(List<Integer> start) {
        Found best = new Found(start, seconds(start));
        while (true) {
            Found next = best;
            for (int first = 0; first < start.size(); first++) {
                for (int second = first; second < start.size(); second++) {
                    next = better(next, best.parts(), first, second);
                }
            }
            if (next == best) {
                return best;
            }
            best = next;
        }
    }

    private Found better(Found best, List<Integer> from, int first, int second) {
        Found found = best;
        for (int ofFirst : options(first)) {
            for (int ofSecond : options(second)) {
                List<Integer> parts = new ArrayList<>(from);
                parts.set(first, ofFirst);
                parts.set(second, ofSecond);
                double seconds = seconds(parts);
                found = seconds < found.seconds() ? new Found(parts, seconds) : found;
            }
        }
        return found;
    }

    /** Returns the best of all placements. Their number grows exponentially with the parameters. */
    public Found exhaustive() {
        int[] chosen = new int[types.size() + 1];
        Found best = null;
        while (true) {
            List<Integer> parts = IntStream.range(0, chosen.length)
                    .mapToObj(variable -> options(variable).get(chosen[variable]))
                    .toList();
            double seconds = seconds(parts);
            best = best == null || seconds < best.seconds() ? new Found(parts, seconds) : best;
            int variable = 0;
            while (variable < chosen.length
                    && ++chosen[variable] == options(variable).size()) {
                chosen[variable++] = 0;
            }
            if (variable == chosen.length) {
                return best;
            }
        }
    }

    /** Returns the estimated seconds of a placement; infinite if it does not fit into memory. */
    public double seconds(List<Integer> parts) {
        return known.computeIfAbsent(List.copyOf(parts), this::computed);
    }

    private double computed(List<Integer> parts) {
        if (bytes(parts) > memory) {
            return Double.POSITIVE_INFINITY;
        }
        Map<Long, Sharding> placed = new HashMap<>();
        for (int index = 0; index < names.size(); index++) {
            placed.put(names.get(index), sharding(types.get(index), parts.get(index + 1)));
        }
        return cost.seconds(placed, type -> sharding(type, parts.getFirst()));
    }

    /** Returns the bytes of parameters, gradients and moments on the member with the most. */
    public long bytes(List<Integer> parts) {
        long[] each = new long[workers.size()];
        for (int index = 0; index < types.size(); index++) {
            TensorType type = types.get(index);
            Sharding sharding = sharding(type, parts.get(index + 1));
            for (int rank : workers) {
                each[rank] += COPIES * new TensorType(type.dtype(), sharding.partOf(type.shape(), rank)).bytes();
            }
        }
        return Arrays.stream(each).max().orElse(0);
    }

    /** @param dim the dimension that is cut, or -1 */
    public Sharding sharding(TensorType type, int dim) {
        return canBeCut(type, dim)
                ? Sharding.even(workers, type.shape(), dim)
                : new Sharding(workers, Placement.REPLICATE);
    }
}
