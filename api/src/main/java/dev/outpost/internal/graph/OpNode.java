package dev.outpost.internal.graph;

import dev.outpost.Tensor;
import dev.outpost.internal.AnomalyDetector;
import dev.outpost.internal.Internals;
import dev.outpost.internal.Operand;
import dev.outpost.internal.gradients.Gradient;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The node of a primitive; what it saves and how it goes back stands in {@link Gradients}. */
public final class OpNode extends Node {
    private final Op op;
    private final Gradient rule;
    private final Operand[] inputs;
    private final Tensor[] outputs;
    private final TensorType[] inputTypes;
    private final Layout[] inputLayouts;
    private final Shape[] outputShapes;
    private final List<Tensor> saved = new ArrayList<>();
    /** Where it was recorded, while anomalies are looked for. */
    private final String line = AnomalyDetector.line();

    private OpNode(Op op, Gradient rule, Operand[] operands, Edge[] edges, Tensor[] results) {
        super(edges);
        this.op = op;
        this.rule = rule;
        inputTypes = Arrays.stream(operands).map(Operand::type).toArray(TensorType[]::new);
        inputLayouts = Arrays.stream(operands).map(OpNode::layout).toArray(Layout[]::new);
        outputShapes = Arrays.stream(results).map(Tensor::shape).toArray(Shape[]::new);
        inputs = new Operand[operands.length];
        outputs = new Tensor[results.length];
        for (int index = 0; index < operands.length; index++) {
            inputs[index] = rule.savesInput(this, index) ? save(operands[index]) : null;
        }
    }

    private static Layout layout(Operand operand) {
        return operand instanceof Tensor tensor
                ? Internals.layout(tensor)
                : Layout.contiguous(operand.type().shape());
    }

    /** Puts the results of an op on the graph, if any operand is on it and the op has a gradient. */
    public static void attach(Op op, Operand[] operands, Tensor[] results) {
        Edge[] edges = edges(operands);
        if (edges == null) {
            return;
        }
        Gradient rule = Gradients.of(op);
        if (rule == Gradient.NONE) {
            return;
        }
        OpNode node = new OpNode(op, rule, operands, edges, results);
        for (int index = 0; index < results.length; index++) {
            if (results[index].dtype().isFloating()) {
                Internals.variable(results[index]).computedBy(new Edge(node, index));
            }
        }
        node.saveOutputs(results);
    }

    private static Edge[] edges(Operand[] operands) {
        Edge[] edges = null;
        for (int index = 0; index < operands.length; index++) {
            if (operands[index] instanceof Tensor tensor && tensor.requiresGrad()) {
                edges = edges == null ? new Edge[operands.length] : edges;
                edges[index] = Internals.gradientEdge(tensor);
            }
        }
        return edges;
    }

    private void saveOutputs(Tensor[] results) {
        for (int index = 0; index < results.length; index++) {
            outputs[index] = rule.savesOutput(results[index].dtype()) ? (Tensor) save(results[index]) : null;
        }
    }

    private Operand save(Operand operand) {
        if (!(operand instanceof Tensor tensor)) {
            return operand;
        }
        Tensor snapshot = Internals.lasting(Internals.snapshot(tensor));
        saved.add(snapshot);
        return snapshot;
    }

    public Op op() {
        return op;
    }

    public Operand input(int index) {
        return inputs[index];
    }

    public Tensor output(int index) {
        return outputs[index];
    }

    public TensorType inputType(int index) {
        return inputTypes[index];
    }

    public Shape inputShape(int index) {
        return inputTypes[index].shape();
    }

    /** How an input lay, whether or not it is saved. */
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
    public Tensor[] backward(Tensor[] gradients) {
        return AnomalyDetector.backwardOf(label(), line, () -> rule.backward(this, gradients));
    }

    @Override
    protected boolean hasSaved() {
        return !saved.isEmpty();
    }

    @Override
    protected void closeSaved() {
        saved.forEach(Tensor::close);
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
        return op.label() + " " + Arrays.toString(outputShapes);
    }
}
