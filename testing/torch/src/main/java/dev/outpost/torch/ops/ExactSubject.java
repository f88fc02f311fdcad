package dev.outpost.torch.ops;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.ParityPack;
import dev.outpost.types.DType;
import java.util.Random;

/** Computes like {@link MachineSubject}, but float32 cases in float64, without their roundings. */
public final class ExactSubject extends MachineSubject {
    /** Half of the distance between 1 and the next float. */
    private static final double UNIT_ROUNDOFF = 0x1p-24;

    private final double change;
    private final Random signs;

    public ExactSubject(RemoteMachine machine) {
        this(machine, 0, 0);
    }

    private ExactSubject(RemoteMachine machine, double change, long seed) {
        super(machine);
        this.change = change;
        this.signs = new Random(seed);
    }

    /**
     * Returns the answer for operands that are randomly moved up or down by one rounding to float32. Its distance from the exact answer
     * shows how much the case itself amplifies roundings (its condition).
     */
    public static ExactSubject ofRoundedOperands(RemoteMachine machine, long seed) {
        return new ExactSubject(machine, UNIT_ROUNDOFF, seed);
    }

    @Override
    Tensor upload(TensorArgument argument, ParityPack pack) {
        Tensor tensor = super.upload(argument, pack);
        return tensor.dtype() == DType.FLOAT32 ? changed(tensor.to(DType.FLOAT64)) : tensor;
    }

    @Override
    Tensor cotangent(Tensor output, ParityPack pack, String name) {
        Tensor slope = super.cotangent(output, pack, name).to(output.dtype());
        return slope.dtype() == DType.FLOAT64 ? changed(slope) : slope;
    }

    private Tensor changed(Tensor exact) {
        if (change == 0) {
            return exact;
        }
        double[] factors = new double[Math.toIntExact(exact.numel())];
        for (int i = 0; i < factors.length; i++) {
            factors[i] = signs.nextBoolean() ? 1 + change : 1 - change;
        }
        return exact.mul(machine.tensor(factors).reshape(exact.shape()));
    }
}
