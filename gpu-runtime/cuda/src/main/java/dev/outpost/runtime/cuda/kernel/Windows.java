package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.memory.Array;

/** Convolutions and pooling, in tiles if that is faster, and otherwise with one thread for each element of the result. */
public record Windows(CudaLauncher launcher, Folds folds) {
    public void convolve(Convolution op, Array first, Array second, Array result) {
        ConvolutionTiles tiles = ConvolutionTiles.of(op, first, second, result);
        if (tiles.areWorthIt()) {
            tiles.run(launcher, folds);
        } else {
            convolveDirectly(op, first, second, result);
        }
    }

    private void convolveDirectly(Convolution op, Array first, Array second, Array result) {
        Array input = op.fn() == Convolution.Fn.INPUT ? result : first;
        Array weight = switch (op.fn()) {
            case FORWARD -> second;
            case INPUT -> first;
            case WEIGHT -> result;
        };
        Array output = op.fn() == Convolution.Fn.FORWARD ? result : second;
        CudaType type = CudaType.of(result.dtype());
        Template template = Template.of(Part.CONVOLUTION, true)
                .arithmetic(type.sum())
                .define("STORED", type.stored())
                .sums(type)
                .define("MULTIPLY_ADD(x, y, z)", multiplyAdd(type.sum()))
                .define("RESULT_IS", op.fn().ordinal());
        long count = result.shape().elements();
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(result), CudaLauncher.address(first), CudaLauncher.address(second))
                .add(count, input.shape().size(0), op.groups())
                .add(input.shape().toArray())
                .add(weight.shape().toArray())
                .add(output.shape().toArray())
                .add(input.layout().strides())
                .add(weight.layout().strides())
                .add(output.layout().strides())
                .add(op.rows().stride(), op.columns().stride())
                .add(op.rows().padding(), op.columns().padding())
                .add(op.rows().dilation(), op.columns().dilation());
        launcher.run(template.source(), "convolution", count, arguments);
    }

    /** Returns the function that multiplies two numbers and adds the product to an accumulator. */
    static String multiplyAdd(CudaType sum) {
        return switch (sum) {
            case F32 -> "fmaf(x, y, z)";
            case F64 -> "fma(x, y, z)";
            default -> "add_i64(z, mul_i64(x, y))";
        };
    }

    public void maxPool(MaxPool op, Array in, Array values, Array places) {
        Template template = Template.of(Part.MAX_POOL, true).elements(CudaType.of(in.dtype()));
        long count = values.shape().elements();
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(values), CudaLauncher.address(places), CudaLauncher.address(in), count)
                .add(values.shape().size(1), values.shape().size(2))
                .add(in.shape().size(1), in.shape().size(2))
                .add(in.layout().strides())
                .add(op.window().toArray())
                .add(op.rows().stride(), op.columns().stride())
                .add(op.rows().padding(), op.columns().padding())
                .add(op.rows().dilation(), op.columns().dilation());
        launcher.run(template.source(), "max_pool", count, arguments);
    }
}
