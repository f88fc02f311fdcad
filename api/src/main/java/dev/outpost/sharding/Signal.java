package dev.outpost.sharding;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How what is computed within a part of a program is placed. Immutable.
 *
 * @param where where it is placed
 * @param backward the signal of the ops that differentiate it, by name
 * @param isCompiled whether the part is planned by itself
 */
public record Signal(Where where, Optional<String> backward, boolean isCompiled) {

    /** Where something is placed. */
    public sealed interface Where {
        /**
         * On these workers; data that the program gives are cut along a dimension.
         *
         * @param axis the dimension, from 0
         * @param workers ranks, in the order of the parts
         */
        record Cut(int axis, List<Integer> workers) implements Where {
            public Cut {
                workers = List.copyOf(workers);
            }
        }

        /**
         * Each worker computes all of it.
         *
         * @param workers ranks; empty for all of the group
         */
        record Replicated(List<Integer> workers) implements Where {
            public Replicated {
                workers = List.copyOf(workers);
            }
        }

        /**
         * On a mesh.
         *
         * @param axes the mesh's axes, by name
         * @param spec by role, such as {@code activations}: for each dimension the axis along which it is cut, or none
         */
        record OnMesh(List<String> axes, Map<String, List<Optional<String>>> spec) implements Where {
            public OnMesh {
                axes = List.copyOf(axes);
                spec = Map.copyOf(spec);
            }
        }

        /** Wherever the operands are. */
        record Anywhere() implements Where {}
    }

    /** Places results on these workers, cut among them along a dimension. */
    public static Signal shard(int axis, List<Integer> workers) {
        return new Signal(new Where.Cut(axis, workers), Optional.empty(), false);
    }

    /** All workers compute all of it. */
    public static Signal replicated() {
        return new Signal(new Where.Replicated(List.of()), Optional.empty(), false);
    }

    /**
     * On a mesh.
     *
     * @param axes of a mesh that is configured beside the signals
     * @param spec for {@code activations} and {@code weights}: for each dimension the axis along which it is cut, or none
     */
    public static Signal onMesh(List<String> axes, Map<String, List<Optional<String>>> spec) {
        return new Signal(new Where.OnMesh(axes, spec), Optional.empty(), false);
    }

    /** The same with another signal for the ops that differentiate it. */
    public Signal backward(String name) {
        return new Signal(where, Optional.of(name), isCompiled);
    }

    /** The same, planned by itself. */
    public Signal compile() {
        return new Signal(where, backward, true);
    }
}
