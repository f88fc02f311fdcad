package dev.outpost.sharding;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The placement of values that a part of a program computes. Immutable.
 *
 * @param where the placement of the values
 * @param backward the name of the signal for the gradients of this part
 * @param isCompiled true if the part is planned separately
 */
public record Signal(Where where, Optional<String> backward, boolean isCompiled) {

    /** A placement. */
    public sealed interface Where {
        /**
         * Places values on these workers; data of the program are cut along a dimension.
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
         * Each worker computes the whole part.
         *
         * @param workers ranks; empty for all of the group
         */
        record Replicated(List<Integer> workers) implements Where {
            public Replicated {
                workers = List.copyOf(workers);
            }
        }

        /**
         * Places values on a mesh.
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

        /** Computes on the workers that have the operands. */
        record Anywhere() implements Where {}
    }

    /** Returns a signal that places results on these workers, cut along a dimension. */
    public static Signal shard(int axis, List<Integer> workers) {
        return new Signal(new Where.Cut(axis, workers), Optional.empty(), false);
    }

    /** Returns a signal with which all workers compute the whole part. */
    public static Signal replicated() {
        return new Signal(new Where.Replicated(List.of()), Optional.empty(), false);
    }

    /**
     * Returns a signal on a mesh.
     *
     * @param axes the axes of a mesh that is configured together with the signals
     * @param spec for {@code activations} and {@code weights}: for each dimension the axis along which it is cut, or none
     */
    public static Signal onMesh(List<String> axes, Map<String, List<Optional<String>>> spec) {
        return new Signal(new Where.OnMesh(axes, spec), Optional.empty(), false);
    }

    /** Returns this signal with another signal for the gradients, by name. */
    public Signal backward(String name) {
        return new Signal(where, Optional.of(name), isCompiled);
    }

    /** Returns this signal with separate planning of its part. */
    public Signal compile() {
        return new Signal(where, backward, true);
    }
}
