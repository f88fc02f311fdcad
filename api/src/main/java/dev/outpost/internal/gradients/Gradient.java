package dev.outpost.internal.gradients;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.GradientRule;
import dev.outpost.internal.graph.Node;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.types.DType;

/**
 * The backward of an op: the tensors that it saves, and the rule for gradients.
 *
 * @param saves the inputs and outputs that the rule uses
 * @param rule computes the gradients of the inputs from those of the outputs
 */
public record Gradient(Saves saves, Rule rule) implements GradientRule {

    /** The rule of ops through which no gradient flows. */
    public static final Gradient NONE = new Gradient(Saves.NOTHING, null);

    public enum Saves {
        NOTHING,
        /** All inputs. */
        INPUTS,
        /** Each input for which another input needs a gradient, as for the factors of a product. */
        OTHER_INPUTS,
        /** Always the second input, and the first only if the second needs a gradient, as in a quotient. */
        DIVISOR,
        /** All inputs, but only if the second needs a gradient. */
        FOR_SECOND,
        /** Conditions and indices among inputs and outputs; no gradient flows to these. */
        SELECTORS,
        /** All inputs except the first, for an op that is linear in the first. */
        BUT_FIRST_INPUT,
        OUTPUTS,
        FIRST_INPUT_AND_OUTPUTS,
        INPUTS_AND_OUTPUTS
    }

    /** Returns one gradient for each input; null if none flows. It may ignore {@link OpNode#needs}. */
    @FunctionalInterface
    public interface Rule {
        TensorState[] apply(OpNode node, TensorState[] gradients);
    }

    /** A rule for one input and one output. */
    @FunctionalInterface
    public interface UnaryRule {
        Tensor apply(OpNode node, Tensor gradient);
    }

    /** A rule for one output. */
    @FunctionalInterface
    public interface OneOutputRule {
        Tensor[] apply(OpNode node, Tensor gradient);
    }

    /** A rule for several outputs. */
    @FunctionalInterface
    public interface OutputsRule {
        Tensor[] apply(OpNode node, Tensor[] gradients);
    }

    public static Gradient ofOutput(Saves saves, OneOutputRule rule) {
        return new Gradient(saves, (node, gradients) -> rule.apply(node, (Tensor) gradients[0]));
    }

    /**
     * Only for these rules are the gradients copied, because the backward pass creates arrays of {@link TensorState}.
     */
    public static Gradient ofOutputs(Saves saves, OutputsRule rule) {
        return new Gradient(saves, (node, gradients) -> rule.apply(node, Dispatch.tensors(gradients)));
    }

    public static Gradient unary(Saves saves, UnaryRule rule) {
        return ofOutput(saves, (node, gradient) -> new Tensor[] {rule.apply(node, gradient)});
    }

    /** Returns the gradient of an op of which only the first input gets a gradient. */
    public static Gradient ofFirst(Saves saves, UnaryRule rule) {
        return ofOutput(saves, (node, gradient) -> {
            Tensor[] gradients = new Tensor[node.inputCount()];
            gradients[0] = rule.apply(node, gradient);
            return gradients;
        });
    }

    /** Combines two rules for two inputs that broadcast. Computes only the needed gradients, and sums each to its input's shape. */
    public static Gradient binary(Saves saves, UnaryRule left, UnaryRule right) {
        return ofOutput(saves, (node, gradient) ->
                new Tensor[] {unbroadcast(node, 0, left, gradient), unbroadcast(node, 1, right, gradient)});
    }

    public static Tensor unbroadcast(OpNode node, int input, UnaryRule rule, Tensor gradient) {
        return node.needs(input) ? rule.apply(node, gradient).sumToSize(node.inputShape(input)) : null;
    }

    @Override
    public boolean savesInput(OpNode node, int input) {
        return switch (saves) {
            case NOTHING, OUTPUTS -> false;
            case INPUTS, INPUTS_AND_OUTPUTS -> true;
            case FIRST_INPUT_AND_OUTPUTS -> input == 0;
            case BUT_FIRST_INPUT -> input != 0;
            case OTHER_INPUTS -> anotherNeeds(node, input);
            case DIVISOR -> input == 1 || node.needs(1);
            case FOR_SECOND -> node.needs(1);
            case SELECTORS -> !node.inputType(input).dtype().isFloating();
        };
    }

    @Override
    public boolean savesOutput(DType dtype) {
        return switch (saves) {
            case NOTHING, INPUTS, OTHER_INPUTS, DIVISOR, FOR_SECOND, BUT_FIRST_INPUT -> false;
            case OUTPUTS, FIRST_INPUT_AND_OUTPUTS, INPUTS_AND_OUTPUTS -> true;
            case SELECTORS -> !dtype.isFloating();
        };
    }

    @Override
    public TensorState[] backwardOf(OpNode node, TensorState[] gradients) {
        return rule.apply(node, gradients);
    }

    static Tensor output(OpNode node, int index) {
        return (Tensor) node.output(index);
    }

    private static boolean anotherNeeds(Node node, int input) {
        for (int other = 0; other < node.edges().length; other++) {
            if (other != input && node.needs(other)) {
                return true;
            }
        }
        return false;
    }
}
