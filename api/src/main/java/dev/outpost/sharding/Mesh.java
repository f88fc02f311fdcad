package dev.outpost.sharding;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Workers in a grid whose axes have names, such as {@code data} and {@code model}. Ranks are consecutive along the last axis. Immutable.
 *
 * @param axes the number of workers along each axis, by name
 * @param workers ranks in the group, row by row
 */
public record Mesh(Map<String, Integer> axes, List<Integer> workers) {

    public Mesh {
        axes = Collections.unmodifiableMap(new LinkedHashMap<>(axes));
        workers = List.copyOf(workers);
        int size = axes.values().stream().reduce(1, Math::multiplyExact);
        if (axes.isEmpty() || axes.values().stream().anyMatch(count -> count < 1) || size != workers.size()) {
            throw new OutpostException(
                    FaultKind.USER, "mesh: expected a worker for each place of " + axes + ", got " + workers);
        }
    }

    /** Makes a mesh of the first workers of a group. */
    public static Mesh of(Map<String, Integer> axes) {
        int size = axes.values().stream().reduce(1, Math::multiplyExact);
        return new Mesh(axes, IntStream.range(0, size).boxed().toList());
    }

    public int size() {
        return workers.size();
    }

    /** Returns the number of workers along an axis. */
    public int size(String axis) {
        Integer size = axes.get(axis);
        if (size == null) {
            throw new OutpostException(FaultKind.USER, "mesh: axis " + axis + " is none of " + axes.keySet());
        }
        return size;
    }

    /** Returns the groups of workers that differ only along this axis. A sum along the axis is taken within each group. */
    public List<List<Integer>> groups(String axis) {
        size(axis);
        Map<List<Integer>, List<Integer>> groups = new LinkedHashMap<>();
        int own = List.copyOf(axes.keySet()).indexOf(axis);
        for (int place = 0; place < size(); place++) {
            List<Integer> others =
                    new ArrayList<>(Arrays.stream(coordinates(place)).boxed().toList());
            others.remove(own);
            groups.computeIfAbsent(others, first -> new ArrayList<>()).add(workers.get(place));
        }
        return groups.values().stream().map(List::copyOf).toList();
    }

    /** Like {@link #groups(String)}, but for an axis by its index. */
    public List<List<Integer>> groups(int axis) {
        return groups(List.copyOf(axes.keySet()).get(axis));
    }

    /**
     * Returns a worker's coordinate along an axis.
     *
     * @param place the index of the worker among {@link #workers}
     * @param axis the index of the axis
     */
    public int coordinate(int place, int axis) {
        return coordinates(place)[axis];
    }

    private int[] coordinates(int place) {
        int[] sizes = axes.values().stream().mapToInt(Integer::intValue).toArray();
        int[] coordinates = new int[sizes.length];
        int rest = place;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            coordinates[axis] = rest % sizes[axis];
            rest /= sizes[axis];
        }
        return coordinates;
    }
}
