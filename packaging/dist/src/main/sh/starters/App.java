import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.optim.Adam;

/** Fits a line to points. The variable OUTPOST_MACHINE names the machine, such as k8s:A100; see README.md. */
public class App {
    public static void main(String[] arguments) {
        try (RemoteMachine machine = RemoteMachine.open()) {
            machine.manualSeed(0);
            Tensor x = machine.randn(256, 1);
            Tensor y = x.mul(3).add(0.5);
            Linear line = new Linear(1, 1);
            line.to(machine);
            Adam optimizer = new Adam(line.parameters(), 0.1);
            for (int step = 1; step <= 200; step++) {
                try (var scope = machine.scope()) { // closes the tensors of this step
                    optimizer.zeroGrad();
                    Tensor loss = Functional.mseLoss(line.forward(x), y);
                    loss.backward();
                    optimizer.step();
                    if (step % 50 == 0) {
                        System.out.printf("step %3d  loss %.4f%n", step, loss.itemDouble());
                    }
                }
            }
            System.out.printf(
                    "y = %.3f x + %.3f%n",
                    line.weight().tensor().itemDouble(), line.bias().tensor().itemDouble());
        }
    }
}
