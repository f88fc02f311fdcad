package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * A form that is linear in each of three tensors:
 *
 * <pre>{@code Σ input[n, c, y·stride - padding + i·dilation, ...] · weight[o, c mod channels, i, ...] · output[n, o, y, ...]}</pre>
 *
 * <p>Two of them are the operands, in this order, and the third is the result. {@link Fn#FORWARD} is the convolution, and the other
 * functions are its gradients. The gradients of each function are the other two. Images are {@code [batch, channels, height, width]},
 * weights {@code [outputs, channels of a group, height, width]}. 16-bit floats accumulate in float32. It is a primitive, because a
 * composition would copy every element once for each element of the kernel.
 *
 * @param fn selects the tensor that is the result
 * @param rows (structure) the vertical movement of the kernel
 * @param columns (structure) the horizontal movement of the kernel
 * @param groups (structure) the number of groups of channels and outputs; a group reads only its own channels
 * @param plane (structure) height and width of a result that is a gradient, because the operands do not determine them; of rank 0 for the
 *     convolution itself
 */
public record Convolution(Fn fn, Slide rows, Slide columns, int groups, Shape plane) implements Op {

    /** The ops with wire codes 165 to 167. */
    public enum Fn {
        FORWARD(165, "conv2d"),
        INPUT(166, "conv2d_input"),
        WEIGHT(167, "conv2d_weight");

        final OpSignature signature;

        Fn(int code, String label) {
            signature = new OpSignature(code, label, 2);
        }
    }

    /** Returns the convolution itself. */
    public static Convolution forward(Slide rows, Slide columns, int groups) {
        return new Convolution(Fn.FORWARD, rows, columns, groups, Shape.SCALAR);
    }

    /** Returns the same form, with another of its tensors as the result. */
    public Convolution to(Fn result, Shape of) {
        return new Convolution(
                result, rows, columns, groups, result == Fn.FORWARD ? Shape.SCALAR : Shape.of(of.size(2), of.size(3)));
    }

    static Convolution read(Fn fn, AttributeReader in) {
        return new Convolution(
                fn, Slide.read(in), Slide.read(in), in.structure().smallInt("groups"), in.shape());
    }

    @Override
    public OpSignature signature() {
        return fn.signature;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        rows.write(out);
        columns.write(out);
        out.structure().varint(groups);
        out.shape(plane);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireSameDType(this, operands[0], operands[1]);
        if (operands[0].dtype() == DType.BOOL) {
            throw new OpException(label(), "not defined for bool, got " + operands[0] + " and " + operands[1]);
        }
        if (groups < 1) {
            throw new OpException(label(), "there must be at least one group, got " + groups);
        }
        if (plane.rank() != (fn == Fn.FORWARD ? 0 : 2)) {
            throw new OpException(label(), "a gradient needs height and width and nothing else does, got " + plane);
        }
        requireImages(operands[0].shape());
        requireImages(operands[1].shape());
        return Op.one(operands[0].dtype(), result(operands[0].shape(), operands[1].shape()));
    }

    private void requireImages(Shape shape) {
        boolean fits = shape.rank() == 4;
        for (int dim = 1; fits && dim < 4; dim++) {
            fits = shape.size(dim) <= Integer.MAX_VALUE;
        }
        if (!fits) {
            throw new OpException(
                    label(), "four dimensions are needed, all but the first of them below 2^31, got " + shape);
        }
    }

    private Shape result(Shape first, Shape second) {
        return switch (fn) {
            case FORWARD -> output(first, second);
            case INPUT -> {
                Shape input = Shape.of(second.size(0), first.size(1) * groups, plane.size(0), plane.size(1));
                requireImages(input);
                requireOutput(output(input, first), second);
                yield input;
            }
            case WEIGHT -> {
                requireGroups("channels", first.size(1));
                Shape weight = Shape.of(second.size(1), first.size(1) / groups, plane.size(0), plane.size(1));
                requireImages(weight);
                requireOutput(output(first, weight), second);
                yield weight;
            }
        };
    }

    private Shape output(Shape input, Shape weight) {
        requireGroups("channels", input.size(1));
        requireGroups("outputs", weight.size(0));
        if (input.size(1) / groups != weight.size(1)) {
            throw new OpException(
                    label(),
                    "the weight must have the channels of a group, got " + weight + " for " + input + " in " + groups
                            + (groups == 1 ? " group" : " groups"));
        }
        return Shape.of(
                input.size(0),
                weight.size(0),
                rows.places(label(), input.size(2), weight.size(2), false),
                columns.places(label(), input.size(3), weight.size(3), false));
    }

    private void requireGroups(String what, long count) {
        if (count % groups != 0) {
            throw new OpException(label(), what + " must divide into groups, got " + count + " and " + groups);
        }
    }

    private void requireOutput(Shape expected, Shape actual) {
        if (!expected.equals(actual)) {
            throw new OpException(label(), "the output must have the shape " + expected + ", got " + actual);
        }
    }
}
