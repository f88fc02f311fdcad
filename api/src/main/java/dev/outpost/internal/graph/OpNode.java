package dev.outpost.internal.graph;

import dev.outpost.internal.AnomalyDetector;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The node of a primitive. Its {@link GradientRule} defines the saved tensors and the backward. */
public final class OpNode extends FunctionNode {
    private final Op op;
    private final GradientRule rule;
    private final Operand[] inputs;
    private final TensorState[] outputs;
    private final TensorType[] inputTypes;
    private final Layout[] inputLayouts;
    private final Shape[] outputShapes;
    private final List<TensorState> saved = new ArrayList<>();
    /** The line of the program that recorded the op, if this thread detects anomalies; else null. */
    private final String line = AnomalyDetector.line();

    private OpNode(Op op, GradientRule rule, Operand[] operands, Edge[] edges, TensorState[] results) {
        super(edges);
        this.op = op;
        this.rule = rule;
        inputTypes = Arrays.stream(operands).map(Operand::type).toArray(TensorType[]::new);
        inputLayouts = Arrays.stream(operands).map(OpNode::layout).toArray(Layout[]::new);
        outputShapes = Arrays.stream(results).map(TensorState::shape).toArray(Shape[]::new);
        inputs = new Operand[operands.length];
        outputs = new TensorState[results.length];
        for (int index = 0; index < operands.length; index++) {
            inputs[index] = rule.savesInput(this, index) ? save(operands[index]) : null;
        }
    }

    private static Layout layout(Operand operand) {
        return operand instanceof TensorState tensor
                ? States.layout(tensor)
                : Layout.contiguous(operand.type().shape());
    }

    /**
     * Adds the results of an op to the graph if an operand is on the graph and the op has a gradient.
     *
     * @param rules returns the rule of an op, or null if it has none
     */
    public static void attach(Op op, Function<Op, GradientRule> rules, Operand[] operands, TensorState[] results) {
        Edge[] edges = edges(operands);
        if (edges == null) {
            return;
        }
        GradientRule rule = rules.apply(op);
        if (rule == null) {
            return;
        }
        OpNode node = new OpNode(op, rule, operands, edges, results);
        for (int index = 0; index < results.length; index++) {
            if (results[index].dtype().isFloating()) {
                States.variable(results[index]).computedBy(new Edge(node, index));
            }
        }
        node.saveOutputs(results);
    }

    private static Edge[] edges(Operand[] operands) {
        Edge[] edges = null;
        for (int index = 0; index < operands.length; index++) {
            if (operands[index] instanceof TensorState tensor && tensor.requiresGrad()) {
                edges = edges == null ? new Edge[operands.length] : edges;
                edges[index] = States.gradientEdge(tensor);
            }
        }
        return edges;
    }

    private void saveOutputs(TensorState[] results) {
        for (int index = 0; index < results.length; index++) {
            outputs[index] = rule.savesOutput(results[index].dtype()) ? (TensorState) save(results[index]) : null;
        }
    }

    private Operand save(Operand operand) {
        if (!(operand instanceof TensorState tensor)) {
            return operand;
        }
        TensorState snapshot = TensorScope.lasting(States.snapshot(tensor));
        saved.add(snapshot);
        return snapshot;
    }

    public Op op() {
        return op;
    }

    public Operand input(int index) {
        return inputs[index];
    }

    public TensorState output(int index) {
        return outputs[index];
    }

    public TensorType inputType(int index) {
        return inputTypes[index];
    }

    public Shape inputShape(int index) {
        return inputTypes[index].shape();
    }

    /** Returns the layout of an input, even if the input is not saved. */
    public Layout inputLayout(int index) {
        return inputLayouts[index];
    }

    public Shape outputShape(int index) {
        return outputShapes[index];
    }

    public int inputCount() {
        return inputTypes.length;
    }

    @Override
    public int outputs() {
        return outputShapes.length;
    }

    @Override
    public TensorState[] backward(TensorState[] gradients) {
        return AnomalyDetector.backwardOf(label(), line, () -> rule.backwardOf(this, gradients));
    }

    @Override
    protected boolean hasSaved() {
        return !saved.isEmpty();
    }

    @Override
    protected void closeSaved() {
        saved.forEach(TensorState::close);
        saved.clear();
        Arrays.fill(inputs, null);
        Arrays.fill(outputs, null);
    }

    @Override
    protected String opName() {
        return op.label();
    }

    @Override
    public String label() {
        return op.label() + " " + (outputShapes.length == 1 ? outputShapes[0] : Arrays.toString(outputShapes));
    }
}
