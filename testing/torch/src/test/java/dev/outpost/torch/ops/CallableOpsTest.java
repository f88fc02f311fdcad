package dev.outpost.torch.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.torch.Argument.TensorArgument;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallableOpsTest {
    /** The samples of PyTorch's test suite write into a copy; a program writes into its tensor. */
    @Test
    void anOpThatWritesInPlaceChangesItsArgument() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor ones = machine.ones(3);
            new CallableOps().call(machine, _ -> ones, "zero_", List.of(new TensorArgument("ones", false)), Map.of());
            assertArrayEquals(new float[3], ones.toFloatArray());
        }
    }
}
