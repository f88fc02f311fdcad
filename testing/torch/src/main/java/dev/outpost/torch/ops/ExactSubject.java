package dev.outpost.torch.ops;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.ParityPack;
import dev.outpost.types.DType;

/** As {@link MachineSubject}, but in float64 where a case is in float32: what is rounded there is not rounded here. */
public final class ExactSubject extends MachineSubject {

    public ExactSubject(RemoteMachine machine) {
        super(machine);
    }

    @Override
    Tensor upload(TensorArgument argument, ParityPack pack) {
        Tensor tensor = super.upload(argument, pack);
        return tensor.dtype() == DType.FLOAT32 ? tensor.to(DType.FLOAT64) : tensor;
    }

    @Override
    Tensor cotangent(Tensor output, ParityPack pack, String name) {
        return super.cotangent(output, pack, name).to(output.dtype());
    }
}
