package dev.outpost.models.pipeline;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Divides the layers of a decoder over workers. Each gets consecutive layers. A token passes all stages one after the other, so the fewest
 * workers with enough memory are used, those with the most free memory first. Of their divisions, the best leaves the most free memory on
 * the fullest worker. Pure functions.
 */
final class LayerDivision {
    private static final double GIB = 1L << 30;

    /**
     * The memory of the parts of a decoder, in bytes: weights, caches and intermediate results.
     *
     * @param layers bytes of each layer
     * @param first further bytes of the first stage
     * @param last further bytes of the last stage
     */
    record Costs(List<Long> layers, long first, long last) {
        Costs {
            layers = List.copyOf(layers);
        }

        long bytes(int from, int end) {
            long sum = from == 0 ? first : 0;
            for (int layer = from; layer < end; layer++) {
                sum += layers.get(layer);
            }
            return end == layers.size() ? sum + last : sum;
        }

        long all() {
            return bytes(0, layers.size());
        }
    }

    /** A worker and its free memory in bytes. */
    record Room(String name, long bytes) {}

    /**
     * The layers from {@code first}, inclusive, to {@code end}, exclusive, on the worker with this index in the list.
     */
    record Part(int worker, int first, int end) {}

    private final Costs costs;
    private final List<Room> rooms;
    /** Indices of the rooms, those with the most memory first. */
    private final List<Integer> chosen;

    private LayerDivision(Costs costs, List<Room> rooms, List<Integer> chosen) {
        this.costs = costs;
        this.rooms = rooms;
        this.chosen = chosen;
    }

    /**
     * Returns the best division.
     *
     * @param stages number of workers; empty for the fewest that have enough memory
     * @throws OutpostException of kind resources if the memory is too small; the message has the needed memory and the memory of each
     *     worker
     */
    static List<Part> divide(Costs costs, List<Room> rooms, OptionalInt stages) {
        List<Integer> ordered = IntStream.range(0, rooms.size())
                .boxed()
                .sorted(Comparator.comparingLong(place -> -rooms.get(place).bytes()))
                .toList();
        int max = Math.min(rooms.size(), costs.layers().size());
        int min = stages.orElse(1);
        if (min < 1 || stages.isPresent() && min > max) {
            throw new OutpostException(
                    FaultKind.USER,
                    "lan: expected 1 to " + max + " stages for "
                            + costs.layers().size() + " layers on " + rooms.size() + " workers, got " + min);
        }
        for (int count = min; count <= stages.orElse(max); count++) {
            List<Part> parts = new LayerDivision(costs, rooms, ordered.subList(0, count)).best();
            if (!parts.isEmpty()) {
                return parts;
            }
        }
        throw refusal(costs, rooms);
    }

    /**
     * Returns the best division, or an empty list if the memory is too small. Uses dynamic programming over the first layers
     * and workers.
     */
    private List<Part> best() {
        int layers = costs.layers().size();
        double[][] fullest = new double[chosen.size() + 1][layers + 1];
        int[][] cut = new int[chosen.size() + 1][layers + 1];
        for (double[] row : fullest) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
        fullest[0][0] = 0;
        for (int count = 1; count <= chosen.size(); count++) {
            for (int end = count; end <= layers; end++) {
                for (int first = count - 1; first < end; first++) {
                    double share = Math.max(fullest[count - 1][first], share(count - 1, first, end));
                    if (share < fullest[count][end]) {
                        fullest[count][end] = share;
                        cut[count][end] = first;
                    }
                }
            }
        }
        return fullest[chosen.size()][layers] > 1 ? List.of() : parts(cut, layers);
    }

    private double share(int place, int first, int end) {
        return (double) costs.bytes(first, end)
                / Math.max(1, rooms.get(chosen.get(place)).bytes());
    }

    private List<Part> parts(int[][] cut, int layers) {
        List<Part> parts = new ArrayList<>();
        int end = layers;
        for (int count = chosen.size(); count > 0; count--) {
            parts.addFirst(new Part(chosen.get(count - 1), cut[count][end], end));
            end = cut[count][end];
        }
        return parts;
    }

    private static OutpostException refusal(Costs costs, List<Room> rooms) {
        String each = rooms.stream()
                .map(room -> room.name() + " has " + amount(room.bytes()))
                .collect(Collectors.joining(", "));
        return new OutpostException(
                FaultKind.RESOURCES,
                "lan: the workers have too little memory: weights and caches take " + amount(costs.all()) + "; "
                        + (each.isEmpty() ? "there is no worker" : each)
                        + "; add workers, load in a shorter dtype, or give texts room for fewer tokens");
    }

    private static String amount(long bytes) {
        return String.format(Locale.ROOT, "%.2f GiB", bytes / GIB);
    }
}
