package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.TensorArgument;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One line of a program. A part of a result with several parts is named by Python's subscript, such as {@code v3[1]}. */
sealed interface FuzzStatement {

    /** A tensor of given elements. */
    record Literal(String name, HostTensor value, boolean requiresGrad) implements FuzzStatement {
        @Override
        public Stream<String> uses() {
            return Stream.empty();
        }
    }

    /**
     * A call of an op.
     *
     * @param name the name of the result; an op that writes in place defines none
     * @param hasParts true if the result is a list or a tuple
     * @param withoutGrad true if autograd is off for the call
     */
    record Invocation(
            String name,
            String op,
            List<Argument> arguments,
            Map<String, Argument> keywords,
            boolean hasParts,
            boolean withoutGrad)
            implements FuzzStatement {
        public Invocation {
            arguments = List.copyOf(arguments);
            keywords = Collections.unmodifiableMap(new LinkedHashMap<>(keywords));
        }

        /** Returns true if it writes into its first argument. */
        public boolean isWrite() {
            return op.equals("__setitem__") || op.endsWith("_") && !op.endsWith("__");
        }

        @Override
        public Stream<String> uses() {
            return Stream.concat(arguments.stream(), keywords.values().stream())
                    .flatMap(Argument::tensors)
                    .map(TensorArgument::name);
        }

        @Override
        public String op() {
            return op;
        }
    }

    /** A backward pass from an output to the leaves. */
    record Backward(String output, Optional<String> cotangent, boolean retainGraph) implements FuzzStatement {
        @Override
        public Stream<String> uses() {
            return Stream.concat(Stream.of(output), cotangent.stream());
        }

        @Override
        public String op() {
            return "backward";
        }
    }

    /** A layer with given parameters, in training or evaluation mode. */
    record Layer(String name, LayerKind kind, List<Long> sizes, Map<String, HostTensor> state, boolean trains)
            implements FuzzStatement {
        public Layer {
            sizes = List.copyOf(sizes);
            state = Collections.unmodifiableMap(new LinkedHashMap<>(state));
        }

        @Override
        public Stream<String> uses() {
            return Stream.empty();
        }

        @Override
        public String op() {
            return "nn." + kind.python();
        }
    }

    /** A layer applied to a variable. */
    record Forward(String name, String layer, String input) implements FuzzStatement {
        @Override
        public Stream<String> uses() {
            return Stream.of(layer, input);
        }

        @Override
        public String op() {
            return "forward";
        }
    }

    /**
     * An optimizer of layers' parameters and of leaves.
     *
     * @param settings the settings, by PyTorch's names
     */
    record Training(
            String name, OptimizerKind kind, Map<String, Argument> settings, List<String> layers, List<String> leaves)
            implements FuzzStatement {
        public Training {
            settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
            layers = List.copyOf(layers);
            leaves = List.copyOf(leaves);
        }

        @Override
        public Stream<String> uses() {
            return Stream.concat(layers.stream(), leaves.stream());
        }

        @Override
        public String op() {
            return "optim." + kind.python();
        }
    }

    /** An optimizer's update of its parameters. */
    record Step(String optimizer) implements FuzzStatement {
        @Override
        public Stream<String> uses() {
            return Stream.of(optimizer);
        }

        @Override
        public String op() {
            return "step";
        }
    }

    /** An optimizer drops its parameters' gradients. */
    record ZeroGrad(String optimizer) implements FuzzStatement {
        @Override
        public Stream<String> uses() {
            return Stream.of(optimizer);
        }

        @Override
        public String op() {
            return "zero_grad";
        }
    }

    /** Returns the variables that it reads. */
    Stream<String> uses();

    /** Returns the variable that it defines, or an empty name. */
    default String name() {
        return "";
    }

    /** Returns the name under which it is counted. */
    default String op() {
        return "tensor";
    }

    /** Returns the variable of a name: {@code v3} for {@code v3[1]}. */
    static String variable(String name) {
        int bracket = name.indexOf('[');
        return bracket < 0 ? name : name.substring(0, bracket);
    }
}
